import { parseJoinAnswer, parsePollAnswer, type AgentResult, type OnLeaseLoss } from '@systole/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dueAt,
  EMPTY_STATE,
  evolve,
  nodeStart,
  nodeStep,
  type JournalRecord,
  type NodeEffect,
  type NodeInput,
  type NodeState,
  type NodeStep,
} from './index.js';
import { actionOf, SETTINGS } from './testing/actions.js';
import { runScenario } from './testing/scenario.js';

const LEASE_MS = 12_000;

type Body = NodeInput extends infer Input ? (Input extends NodeInput ? Omit<Input, 'now' | 'wallMs'> : never) : never;
type Effect<Type extends NodeEffect['type']> = Extract<NodeEffect, { readonly type: Type }>;

/** A node with its disk, its programs, and a server that hands out orders until their results are there. What happens, and when, is the test's choice. */
class World {
  state: NodeState;
  now = 0;
  readonly disk: JournalRecord[] = [];
  readonly begun: string[] = [];
  readonly delivered = new Map<string, AgentResult>();
  readonly orders = new Set<string>();
  private ordered = 0;
  /** The next answer to a poll comes from a server that has not heard of any result. */
  repeats = false;
  /** When the lease ends that the server has granted last, as the node must count it. */
  leaseEnd = 0;
  private incarnation = 0;
  private processes = 0;
  private writes: Effect<'write'>[] = [];
  private sent: { readonly effect: Effect<'send'>; readonly at: number }[] = [];
  private programs: Effect<'run'>[] = [];

  constructor(private readonly policy: OnLeaseLoss) {
    const first = this.start();
    this.state = first.state;
    this.take(first);
    this.write(true);
    this.answer(true);
  }

  private start(): NodeStep {
    this.processes += 1;
    this.writes = [];
    this.sent = [];
    this.programs = [];
    const settings = { ...SETTINGS, instance: `i${this.processes}`, onLeaseLoss: this.policy };
    return nodeStart(settings, { journal: this.disk.reduce(evolve, EMPTY_STATE) }, { now: this.now, wallMs: 0 });
  }

  input(body: Body): void {
    this.take(nodeStep(this.state, { ...body, now: this.now, wallMs: 0 }));
  }

  private take({ state, effects }: NodeStep): void {
    this.state = state;
    for (const effect of effects) {
      if (effect.type === 'write') this.writes.push(effect);
      if (effect.type === 'send') this.sent.push({ effect, at: this.now });
      if (effect.type === 'end-leftover') this.input({ type: 'leftover-ended', actionId: effect.actionId });
      if (effect.type !== 'run') continue;
      this.programs.push(effect);
      this.input({ type: 'started', run: effect.run, process: { pid: 1, startTicks: 1 } });
      if (effect.actionId === undefined) continue;
      this.begun.push(effect.actionId);
      expect(this.now, 'nothing begins after the end of the lease').toBeLessThan(this.leaseEnd);
    }
  }

  order(): void {
    this.ordered += 1;
    this.orders.add(String(this.ordered));
  }

  crash(keepsLastWrite: boolean): void {
    const [last] = this.writes;
    if (keepsLastWrite && last !== undefined) this.disk.push(...last.records);
    this.take(this.start());
  }

  write(succeeds: boolean): void {
    const effect = this.writes.shift();
    if (effect === undefined) return;
    if (succeeds) this.disk.push(...effect.records);
    this.input(succeeds ? { type: 'written', write: effect.write } : { type: 'write-failed', write: effect.write, problem: 'full' });
  }

  endProgram(rc: number): void {
    const program = this.programs.shift();
    if (program === undefined) return;
    const outcome = { status: 'done', rc, output: '', startedAtMs: 0, execMs: 1 } as const;
    this.input({ type: 'ended', run: program.run, outcome });
  }

  /** The server does what it is asked; its answer arrives, or is lost. */
  answer(arrives: boolean): void {
    const sent = this.sent.shift();
    if (sent === undefined) return;
    const { request, message } = sent.effect;
    const answer = this.serve(message, sent.at, arrives);
    this.input(arrives ? { type: 'answered', request, answer } : { type: 'unanswered', request, detail: 'lost' });
  }

  private serve(message: Effect<'send'>['message'], at: number, arrives: boolean): Extract<NodeInput, { type: 'answered' }>['answer'] {
    switch (message.kind) {
      case 'join': {
        this.incarnation += 1;
        if (arrives) this.leaseEnd = at + LEASE_MS;
        const { incarnation } = this;
        const join = { clusterId: 'c', clusterName: 'c', node: 'n1', nodeId: '1', incarnation, leaseMs: LEASE_MS, pollMs: 5_000 };
        return { kind: 'join', join };
      }
      case 'poll': {
        if (arrives) this.leaseEnd = at + LEASE_MS;
        const stale = this.repeats ? [...this.delivered.values()].map(({ actionId }) => actionId) : [];
        this.repeats = false;
        const due = [...stale, ...[...this.orders].filter((id) => !message.body.known.includes(id))];
        const actions = due.map((id) => actionOf(`${id}:${Number(id) % 2 === 0 ? 'start' : 'stop'}:r${Number(id) % 3}`));
        return { kind: 'poll', poll: { leaseMs: LEASE_MS, actions, unreadable: [] } };
      }
      case 'results':
        for (const result of message.body.results) {
          this.delivered.set(result.resultId, result);
          this.orders.delete(result.actionId);
        }
        return { kind: 'results', acknowledged: message.body.results.map(({ resultId }) => resultId) };
      case 'shutdown':
      case 'leave':
        return { kind: 'done' };
    }
  }

  /** Whatever is open ends well, for as long as it takes. */
  settle(): void {
    for (let round = 0; round < 100; round++) {
      this.now = Math.max(this.now + 1, Math.min(this.now + 1_000, Math.ceil(dueAt(this.state) ?? 0)));
      this.input({ type: 'tick' });
      for (let turn = 0; turn < 3; turn++) {
        this.write(true);
        this.endProgram(0);
        this.answer(true);
      }
    }
  }
}

const mostly = fc.constantFrom(true, true, true, true, false);
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('order' as const) }) },
  { weight: 8, arbitrary: fc.record({ what: fc.constant('answer' as const), arrives: mostly }) },
  { weight: 8, arbitrary: fc.record({ what: fc.constant('write' as const), succeeds: mostly }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('repeat' as const) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('program' as const), rc: fc.constantFrom(0, 0, 1, 7) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('crash' as const), keeps: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('pass' as const), ms: fc.constantFrom(1, 50, 500, 3_000) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('freeze' as const), ms: fc.constantFrom(9_000, 13_000, 60_000) }) },
);

describe('whatever is lost, repeated, frozen or crashes', () => {
  it('an action begins at most once, never after the lease, and has an outcome if it began', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('keep' as const, 'stop' as const),
        fc.array(event, { minLength: 20, maxLength: 150, size: 'max' }),
        (policy, events) => {
          const world = new World(policy);
          for (const one of events) {
            if (one.what === 'order') world.order();
            if (one.what === 'repeat') world.repeats = true;
            if (one.what === 'answer') world.answer(one.arrives);
            if (one.what === 'write') world.write(one.succeeds);
            if (one.what === 'program') world.endProgram(one.rc);
            if (one.what === 'crash') world.crash(one.keeps);
            if (one.what === 'freeze') world.now += one.ms;
            if (one.what !== 'pass') continue;
            world.now += one.ms;
            world.input({ type: 'tick' });
          }
          world.settle();
          // A stop is safe to repeat: it does not wait for a disk that takes nothing, so the next process may not know of it.
          const starts = world.begun.filter((id) => Number(id) % 2 === 0);
          expect(starts.length, 'at most once').toBe(new Set(starts).size);
          const reported = new Set([...world.delivered.values()].map(({ actionId }) => actionId));
          for (const id of world.begun) expect(reported, 'an outcome').toContain(id);
          expect(world.orders, 'nothing is forgotten').toEqual(new Set());
          expect([...world.state.journal.durable.unacknowledged.keys()], 'everything has arrived').toEqual([]);
          expect(world.disk.reduce(evolve, EMPTY_STATE), 'the session knows what is on disk').toEqual(world.state.journal.durable);
        },
      ),
    );
  });
});

describe('a lease that can not be renewed, where everything is to be stopped', () => {
  it('finds every stop begun before its end, however long each takes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5_000), { minLength: 1, maxLength: 20 }), (durations) => {
        const settings = { ...SETTINGS, onLeaseLoss: 'stop' as const };
        const active = durations.map((_, index): JournalRecord => {
          const { resource, parameters, meta } = actionOf(`x:start:r${index}`);
          return { kind: 'active', active: { resource, parameters, meta } };
        });
        const journal = [{ kind: 'started', bootId: 'boot' } as const, ...active].reduce(evolve, EMPTY_STATE);
        let step = nodeStart(settings, { journal, lease: { ageMs: 0, leaseMs: LEASE_MS } }, { now: 0, wallMs: 0 });
        const begun: number[] = [];
        const ends: { readonly at: number; readonly run: number }[] = [];
        const look = (now: number): void => {
          for (const effect of step.effects) {
            if (effect.type !== 'run') continue;
            ends.push({ at: now + (durations[begun.length] ?? 0), run: effect.run });
            begun.push(now);
          }
        };
        look(0);
        for (let now = 0; begun.length < durations.length && now <= 2 * LEASE_MS;) {
          const due = dueAt(step.state) ?? Infinity;
          const next = ends.reduce((least, one) => (one.at < least.at ? one : least), { at: Infinity, run: -1 });
          now = Math.min(due, next.at);
          const outcome = { status: 'done', rc: 0, output: '', startedAtMs: 0, execMs: 1 } as const;
          const body: Body = next.at <= due ? { type: 'ended', run: next.run, outcome } : { type: 'tick' };
          if (next.at <= due) ends.splice(ends.indexOf(next), 1);
          step = nodeStep(step.state, { ...body, now, wallMs: 0 });
          look(now);
        }
        expect(begun).toHaveLength(durations.length);
        expect(Math.max(...begun)).toBeLessThanOrEqual(LEASE_MS);
      }),
    );
  });
});

describe('whatever a server answers', () => {
  const anyAction = fc.record(
    {
      actionId: fc.constantFrom('1', '2', ''),
      kind: fc.constantFrom('operation', 'fence', 'cancel', 'other'),
      transitionKey: fc.string({ minLength: 1 }),
      operation: fc.constantFrom('start', 'stop', 'monitor', 'delete', 'cancel', '__proto__', 'x'),
      intervalMs: fc.oneof(fc.nat(), fc.constantFrom(Number.MAX_SAFE_INTEGER, -1, 0.5)),
      timeoutMs: fc.oneof(fc.nat(), fc.constant(Number.MAX_SAFE_INTEGER)),
      startDelayMs: fc.nat(),
      expectedRc: fc.integer(),
      resource: fc.record({
        id: fc.constantFrom('a', '__proto__', 'constructor'),
        historyId: fc.constantFrom('a', '__proto__'),
        class: fc.constantFrom('ocf', 'stonith', '\u0000'),
        type: fc.constantFrom('Dummy', '../../bin/sh'),
      }),
      parameters: fc.dictionary(fc.string(), fc.string()),
      meta: fc.dictionary(fc.constantFrom('CRM_meta_operation', '__proto__'), fc.string()),
      fence: fc.option(fc.jsonValue(), { nil: undefined }),
    },
    {
      requiredKeys: [
        'actionId',
        'kind',
        'transitionKey',
        'operation',
        'intervalMs',
        'timeoutMs',
        'expectedRc',
        'resource',
        'parameters',
        'meta',
      ],
    },
  );
  const anyPoll = fc.record(
    {
      leaseMs: fc.constantFrom(1, 2_000, 86_400_000),
      actions: fc.array(fc.oneof(anyAction, fc.jsonValue())),
      unmanaged: fc.array(fc.string()),
      shutdown: fc.boolean(),
      onLeaseLoss: fc.constantFrom('keep', 'stop', 'watchdog'),
      head: fc.record({ epoch: fc.constantFrom('e', 'f'), version: fc.nat(), hash: fc.string({ minLength: 1 }) }),
    },
    { requiredKeys: ['leaseMs', 'actions'] },
  );
  const anyProblem = fc.constantFrom('lease-lost', 'declared-down', 'log-epoch-changed', 'x', '', 'node-joined-elsewhere', '__proto__');
  const join = parseJoinAnswer({ clusterId: 'e', clusterName: 'c', node: 'n1', nodeId: '1', incarnation: 1, leaseMs: 12_000, pollMs: 1 });
  const request = fc.nat(60);
  const anyInput: fc.Arbitrary<Body> = fc.oneof(
    fc.record({
      type: fc.constant('answered' as const),
      request,
      answer: anyPoll.map((poll) => ({ kind: 'poll' as const, poll: parsePollAnswer(poll) })),
    }),
    fc.record({
      type: fc.constant('answered' as const),
      request,
      answer: fc.constantFrom({ kind: 'join' as const, join }, { kind: 'done' as const }),
    }),
    fc.record({
      type: fc.constant('answered' as const),
      request,
      answer: fc.record({ kind: fc.constant('results' as const), acknowledged: fc.array(fc.string()) }),
    }),
    fc.record({
      type: fc.constant('refused' as const),
      request,
      status: fc.constantFrom(400, 401, 403, 404, 409, 410, 413, 422, 426),
      problemType: anyProblem,
      detail: fc.string(),
    }),
    fc.record({ type: fc.constant('unanswered' as const), request, detail: fc.string(), status: fc.constantFrom(500, 503) }),
    fc.record({ type: fc.constant('written' as const), write: fc.nat(60) }),
    fc.record({ type: fc.constant('write-failed' as const), write: fc.nat(60), problem: fc.string() }),
    fc.record({
      type: fc.constant('ended' as const),
      run: fc.nat(60),
      outcome: fc.record({
        status: fc.constantFrom('done' as const, 'error' as const, 'cancelled' as const),
        rc: fc.integer(),
        output: fc.string(),
        startedAtMs: fc.nat(),
        execMs: fc.nat(),
      }),
    }),
    fc.constantFrom<Body>({ type: 'tick' }, { type: 'stop' }),
  );

  it('the session goes on', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyInput, fc.integer({ min: -1_000, max: 20_000 })), { maxLength: 80 }), (inputs) => {
        let { state } = nodeStart(SETTINGS, { journal: EMPTY_STATE }, { now: 0, wallMs: 0 });
        let now = 0;
        for (const [body, ms] of inputs) {
          now += ms;
          ({ state } = nodeStep(state, { ...body, now, wallMs: 0 }));
          expect(dueAt(state) ?? Infinity).toBeGreaterThan(state.now);
        }
      }),
    );
  });
});

describe('an agent that may leave', () => {
  const waiting = Array.from({ length: 47 }, (_, turn) => `at ${String(1_300 * (turn + 1))}\npolled shutdown`).join('\n');
  const told = `node\njoined\npolled 1:start:db\nended 1\nacknowledged\nstop\ndone shutdown\npolled shutdown\n${waiting}\n----`;

  it('does not wait for ever for the cluster to stop what may run here: it stops it, and says that nothing runs before it ends, so that nobody fences its node', () => {
    const lines = runScenario(`${told}\n\nended own:db\n----\n\ndone leave\n----\n`).split('\n');
    expect(lines.filter((line) => line.startsWith('warn: this node may leave'))).toHaveLength(1);
    expect(lines).toContain('run stop of db of its own accord');
    expect(lines.slice(-7)).toEqual(['warn: stopped by the agent itself', 'leave', '', 'done leave', '----', 'end: left', '']);
  });

  it('says nothing of the kind when a stop fails', () => {
    const lines = runScenario(`${told}\n\nended own:db rc=1\nended own:db rc=1\n----\n`).split('\n');
    expect(lines).not.toContain('leave');
    expect(lines.at(-2)).toBe('end: left-unclean');
  });
});
