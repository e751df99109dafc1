import type { GraphAction } from '@systole/scheduler';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterEvent, OperationStatus } from '../events/cluster-event.js';
import { initialState, type ClusterState } from '../state/cluster-state.js';
import { evolve } from '../state/evolve.js';
import { createEngine, type Engine } from './engine.js';
import type { EngineEffect, EngineInput, EngineLimits, EngineStanding } from './engine-types.js';
import { actionIn, expectedRcOf } from './graph-index.js';
import { newsFor } from './news.js';
import { bulkOf } from './bulk.js';
import { outlastsAbortInGraph } from './outlasting.js';
import { isRunning, resumeEngine, type DispatchedAction } from './resume.js';
import { graphOf } from './testing/scenario.js';

const NODES = ['n1', 'n2', 'n3', 'leaving', 'lost'];

/** A random graph: each action may wait for any of the earlier ones; the order of synapses is shuffled. One fencing, one shutdown at most. */
const graphs = fc
  .array(
    fc.record({
      task: fc.constantFrom(
        'start',
        'stop',
        'monitor',
        'probe',
        'probe',
        'migrate_to',
        'pseudo',
        'pseudo',
        'tidings',
        'warning',
        'clear_failcount',
        'fence',
        'shutdown',
      ),
      node: fc.constantFrom('n1', 'n2', 'n3'),
      inputs: fc.array(fc.nat(30), { maxLength: 3 }),
      carries: fc.constantFrom(0, 0, 5_000, 12_000),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .chain((actions) =>
    fc.shuffledSubarray([...actions.keys()], { minLength: actions.length }).map((order) => {
      const lines = actions.map(({ task: wanted, node, inputs, carries }, index) => {
        const once = wanted === 'fence' || wanted === 'shutdown';
        const task = once && actions.findIndex((action) => action.task === wanted) < index ? 'pseudo' : wanted;
        const earlier = index === 0 ? [] : [...new Set(inputs.map((input) => (input % index) + 1))];
        const on = task === 'fence' ? 'lost' : task === 'shutdown' ? 'leaving' : `r${String(index)} ${node}`;
        const probe = `monitor r${String(index)} ${node} op_target_rc=7`;
        const what =
          task === 'probe'
            ? probe
            : task === 'warning'
              ? `notify r${String(index)} n1 notify_type=pre`
              : task === 'tidings'
                ? `notify r${String(index)} n1 notify_type=post priority=1000000`
                : `${task} ${on}`;
        const text = carries === 0 || what !== `${task} ${on}` ? '' : ` carries=${String(carries)}`;
        return `${String(index + 1)} ${what}${text} < ${earlier.map(String).join(' ')}`;
      });
      return graphOf(order.map((index) => lines[index] ?? ''));
    }),
  );

const limits: fc.Arbitrary<EngineLimits> = fc.record({
  batch: fc.integer({ min: 1, max: 6 }),
  actionsPerNode: fc.integer({ min: 1, max: 4 }),
  actionsOnNode: fc.dictionary(fc.constantFrom(...NODES), fc.integer({ min: 1, max: 4 })).map((limits) => new Map(Object.entries(limits))),
  migrationsPerNode: fc.integer({ min: 1, max: 2 }),
  bulk: fc.constantFrom(1, 3_000, 20_000),
  networkAllowanceMs: fc.constant(60_000),
  activationHeld: fc.constant(false),
});

/** A probe may find what nobody expected; anything may fail. */
const ANSWERS = fc.constantFrom('expected', 'expected', 'expected', 'expected', 'found', 'found', 'failed');

const moves = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ type: fc.constant('answer' as const), pick: fc.nat(), as: ANSWERS }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('perform' as const), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 150_000 }) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('change' as const), delivered: fc.nat(1 << 20) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('lose' as const), delivered: fc.nat(1 << 20) }) },
  ),
  { maxLength: 60 },
);

type Move = typeof moves extends fc.Arbitrary<(infer One)[]> ? One : never;

/** Plays worker and agents: keeps the stream's fold and the dispatch rows beside an engine that is not interrupted but where the worker makes a new one. */
class Play {
  state: ClusterState = initialState();
  engine: Engine;
  rows: DispatchedAction[] = [];
  /** How often something was taken back that nobody had begun. */
  takenBack = 0;
  readonly handedOut: number[] = [];
  now = 1_000_000;
  private delivered = 0;

  constructor(
    private readonly graph: Engine['graph'],
    private readonly engineLimits: EngineLimits,
  ) {
    this.append({ type: 'ClusterCreated', data: { name: 'c', cib: '' } });
    for (const node of NODES)
      this.append({ type: 'NodeJoined', data: { node, nodeId: node, incarnation: 1, leaseMs: 1, agentVersion: '' } });
    this.append({ type: 'NodeShutdownRequested', data: { node: 'leaving', incarnation: 1 } });
    this.append({
      type: 'TransitionPlanned',
      data: {
        number: 1,
        inputVersion: this.state.version,
        now: 0,
        schedulerVersion: '',
        digest: '',
        counts: { actions: 1, pseudo: 0, fencing: 0 },
        trigger: '',
        summary: [],
      },
    });
    this.engine = createEngine(graph, engineLimits);
    this.feed({ type: 'start', now: this.now });
  }

  private append(event: ClusterEvent): void {
    this.state = evolve(this.state, {
      version: this.state.version + 1,
      occurredAt: '2026-01-01T00:00:00Z',
      actor: 't',
      correlationId: 'c',
      event,
    });
  }

  private feed(input: EngineInput): void {
    for (const effect of this.engine.step(input)) this.obey(effect);
  }

  private obey(effect: EngineEffect): void {
    switch (effect.type) {
      case 'dispatch':
        this.handedOut.push(effect.action.id);
        this.rows.push({ graphActionId: effect.action.id, dispatchedAt: this.now });
        break;
      case 'perform':
        if (effect.event.type === 'fence') {
          const fence = { fencingId: String(effect.action.id), target: 'lost', action: 'off', device: 'f', executor: 'n1' } as const;
          this.append({ type: 'FencingRequested', data: { ...fence, attempt: 1, transition: 1, graphActionId: effect.action.id } });
        }
        break;
      case 'record-timeout':
        this.record(effect.action.id, 'timeout', 1);
        break;
      case 'aborted':
      case 'finished':
        break;
    }
  }

  private action(id: number): GraphAction {
    const action = actionIn(this.graph, id);
    if (action === undefined) throw new Error(`the graph has no action ${String(id)}`);
    return action;
  }

  private record(id: number, status: OperationStatus, rc: number): void {
    const action = this.action(id);
    this.append({
      type: 'OperationRecorded',
      data: {
        node: action.node?.name ?? '',
        incarnation: status === 'timeout' ? 0 : 1,
        resource: action.primitive?.id ?? '',
        class: 'ocf',
        agentType: 'Dummy',
        operation: action.operation,
        intervalMs: 0,
        status,
        rc,
        callId: 1,
        transitionKey: `${String(id)}:1:${String(expectedRcOf(action))}:c`,
        lastRcChange: 0,
        execMs: 0,
        queueMs: 0,
        late: false,
      },
    });
  }

  /**
   * As the worker when it sees that the transition winds down, or does so without its probes: it takes back what nobody has begun of what does not go on, and makes the engine anew.
   */
  private windDown(before: ReturnType<typeof standingIn>): void {
    const { transition } = this.state;
    if (!isRunning(this.state) || transition?.status !== 'aborting') return;
    const goesOn = (action: GraphAction): boolean => outlastsAbortInGraph(action, transition.probingSince !== undefined);
    const isBegun = (id: number): boolean => ((this.delivered >> (id % 20)) & 1) === 1;
    const isAnswered = (id: number): boolean => !this.engine.isInFlight(id);
    const kept = this.rows.filter(({ graphActionId: id }) => isAnswered(id) || isBegun(id) || goesOn(this.action(id)));
    this.takenBack += this.rows.length - kept.length;
    if (before === standingIn(this.state) && kept.length === this.rows.length) return;
    this.rows = kept;
    this.engine = resumeEngine(this.graph, this.engineLimits, this.state, this.rows);
    this.feed({ type: 'tick', now: this.now });
  }

  move(move: Move): void {
    const before = standingIn(this.state);
    this.play(move);
    this.windDown(before);
  }

  private play(move: Move): void {
    const pick = (from: readonly number[], at: number): number | undefined => from[at % Math.max(1, from.length)];
    switch (move.type) {
      case 'answer': {
        const id = pick(this.engine.handedOut, move.pick);
        if (id === undefined) return;
        const expected = expectedRcOf(this.action(id));
        const rc = move.as === 'expected' ? expected : move.as === 'found' ? 0 : 1;
        this.record(id, 'done', rc);
        this.feed({ type: 'result', graphActionId: id, status: 'done', rc, now: this.now });
        return;
      }
      case 'perform': {
        const id = pick(
          this.engine.performing.map(({ action }) => action.id),
          move.pick,
        );
        const action = this.graph.synapses.find((synapse) => synapse.action.id === id)?.action;
        if (id === undefined || action === undefined) return;
        if (action.operation === 'do_shutdown') {
          this.append({ type: 'NodeLeft', data: { node: 'leaving', incarnation: 1 } });
        } else if (action.operation === 'stonith') {
          const fence = { target: 'lost', action: 'off', device: 'f', executor: 'n1' } as const;
          this.append({ type: 'FencingCompleted', data: { ...fence, fencingId: String(id), outcome: 'succeeded' } });
        } else {
          const graphAction = { transition: 1, id };
          this.append({
            type: 'FailuresCleared',
            data: { resource: action.primitive?.id ?? '', node: action.node?.name ?? '', graphAction },
          });
        }
        this.performed(id);
        return;
      }
      case 'wait':
        this.now += move.ms;
        this.feed({ type: 'tick', now: this.now });
        return;
      case 'change':
        if (this.state.transition?.status !== 'running' && this.state.transition?.probingSince === undefined) return;
        this.delivered = move.delivered;
        this.append({ type: 'NodeAttributeSet', data: { node: 'n1', name: 'site-name', value: String(this.now), lifetime: 'reboot' } });
        this.feed({ type: 'abort', reason: 'attribute site-name of n1 changed', now: this.now });
        return;
      case 'lose':
        if (this.state.nodes['n3']?.membership !== 'joined') return;
        this.delivered = move.delivered;
        this.append({ type: 'NodeLeaseLost', data: { node: 'n3', incarnation: 1, expiredAt: '' } });
        this.feed({ type: 'node-lost', node: 'n3', now: this.now });
        this.feed({ type: 'abort', reason: 'lease of n3 ran out', now: this.now });
        return;
    }
  }

  private performed(id: number): void {
    this.feed({ type: 'performed', graphActionId: id, ok: true, now: this.now });
  }

  /** The engine as another worker would have it now. */
  resumed(): { readonly engine: Engine; readonly effects: readonly EngineEffect[] } {
    if (!isRunning(this.state)) throw new Error('no transition runs');
    const engine = resumeEngine(this.graph, this.engineLimits, this.state, this.rows);
    return { engine, effects: engine.step({ type: 'tick', now: this.now }) };
  }
}

/** Whether a transition runs, winds down or does so with its probes. */
function standingIn({ transition }: ClusterState): string {
  return `${transition?.status ?? ''} ${String(transition?.probingSince !== undefined)}`;
}

/** What matters of an engine: where each action stands. */
function essence(engine: Engine): Omit<EngineStanding, 'abortReason'> {
  const { status, probing, progress, missingInputs, held, inFlight } = engine.standing();
  return { status, probing, progress, missingInputs, held, inFlight };
}

describe('the engine', () => {
  it('resumed at any point stands where the uninterrupted one stands, and hands nothing out again', () => {
    fc.assert(
      fc.property(graphs, limits, moves, (graph, engineLimits, script) => {
        const play = new Play(graph, engineLimits);
        for (const move of [undefined, ...script]) {
          if (move !== undefined) play.move(move);
          const resumed = play.resumed();
          play.engine.step({ type: 'tick', now: 0 });
          expect(essence(resumed.engine)).toEqual(essence(play.engine));
          expect(resumed.effects.filter((effect) => effect.type === 'dispatch')).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('told only what was reported since stands where one made anew stands, and hands out the same', () => {
    fc.assert(
      fc.property(graphs, limits, moves, (graph, engineLimits, script) => {
        const play = new Play(graph, engineLimits);
        let kept = play.resumed().engine;
        let known = 0;
        for (const move of script) {
          const handedOut = play.handedOut.length;
          const { nodes } = play.state;
          const { takenBack } = play;
          play.move(move);
          if (!isRunning(play.state)) return;
          const { transition } = play.state;
          // Where the nodes are not as they were, or something was taken back, whoever keeps engines has one made anew.
          const isSure = play.state.nodes === nodes && play.takenBack === takenBack;
          const news = isSure ? newsFor(kept, play.state, known, play.now) : undefined;
          known = transition.results.length;
          if (news === undefined) {
            kept = play.resumed().engine;
            continue;
          }
          const effects = [...news.flatMap((input) => kept.step(input)), ...kept.step({ type: 'tick', now: play.now })];
          expect(essence(kept)).toEqual(essence(play.resumed().engine));
          expect(effects.flatMap((effect) => (effect.type === 'dispatch' ? [effect.action.id] : []))).toEqual(
            play.handedOut.slice(handedOut),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('hands nothing out twice, nothing before its inputs, and never more than the limits', () => {
    fc.assert(
      fc.property(graphs, limits, moves, (graph, engineLimits, script) => {
        const play = new Play(graph, engineLimits);
        for (const move of script) {
          play.move(move);
          const { inFlight, progress } = play.engine.standing();
          const flights = Object.values(inFlight).filter(({ node }) => node !== undefined);
          expect(flights.length).toBeLessThanOrEqual(engineLimits.batch);
          for (const node of NODES) {
            const here = flights.filter((flight) => flight.node === node);
            expect(here.length).toBeLessThanOrEqual(engineLimits.actionsOnNode?.get(node) ?? engineLimits.actionsPerNode);
            expect(here.filter(({ migration }) => migration).length).toBeLessThanOrEqual(engineLimits.migrationsPerNode ?? 1);
          }
          const carried = graph.synapses
            .filter(({ action }) => inFlight[String(action.id)]?.node !== undefined)
            .map(({ action }) => bulkOf(action));
          expect(carried.reduce((sum, bulk) => sum + bulk, 0) - Math.max(0, ...carried)).toBeLessThan(engineLimits.bulk ?? 0);
          graph.synapses.forEach(({ inputs, priority }, position) => {
            if (progress[position] === 'waiting') return;
            for (const input of inputs) {
              const at = graph.synapses.findIndex((synapse) => synapse.action.id === input);
              expect(priority > 0 ? ['done', 'failed'] : ['done']).toContain(progress[at]);
            }
          });
        }
        expect(new Set(play.handedOut).size).toBe(play.handedOut.length);
      }),
      { numRuns: 300 },
    );
  });

  it('hands out nothing but probes and tidings of what has happened once a probe has found something, and nothing but such tidings once anything else is wrong', () => {
    fc.assert(
      fc.property(graphs, limits, moves, (graph, engineLimits, script) => {
        const play = new Play(graph, engineLimits);
        for (const move of script) {
          const before = play.handedOut.length;
          const { status } = play.engine;
          const within = status === 'aborting' ? (play.engine.probing ? ['post', 'monitor'] : ['post']) : undefined;
          play.move(move);
          const operations = play.handedOut.slice(before).map((id) => {
            const action = actionIn(graph, id);
            return action?.attributes['CRM_meta_notify_type'] ?? action?.operation;
          });
          if (within !== undefined) expect(within).toEqual(expect.arrayContaining(operations));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('finishes when everything is answered', () => {
    fc.assert(
      fc.property(graphs, limits, (graph, engineLimits) => {
        const play = new Play(graph, engineLimits);
        for (let turn = 0; turn < 100 && play.engine.status !== 'finished'; turn += 1) {
          play.move({ type: 'answer', pick: 0, as: 'expected' });
          play.move({ type: 'perform', pick: 0 });
        }
        expect(play.engine.status).toBe('finished');
        expect(new Set(play.engine.standing().progress)).toEqual(new Set(['done']));
      }),
    );
  });
});
