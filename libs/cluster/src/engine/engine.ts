import type { GraphAction, TransitionGraph } from '@systole/scheduler';
import type { OperationStatus } from '../events/cluster-event.js';
import { isExpected } from '../state/history.js';
import type { ActionProgress, CrmEvent, Engine, EngineEffect, EngineInput, EngineLimits, EngineStep } from './engine-types.js';
import {
  confirmedBy,
  executingNode,
  expectedRcOf,
  graphIndex,
  intervalMsOf,
  isMigration,
  outlastsAbort,
  startDelayMsOf,
  timeoutMsOf,
} from './graph-index.js';
import { isHeld, makingWay } from './making-way.js';
import { MinHeap } from './min-heap.js';

/** An engine for a graph that was just planned. Nothing happens before the input `start`. */
export function createEngine(graph: TransitionGraph, limits: EngineLimits): Engine {
  const { inputCounts } = graphIndex(graph);
  return {
    graph,
    limits,
    status: 'ready',
    progress: graph.synapses.map(() => 'waiting'),
    missingInputs: inputCounts,
    held: inputCounts.flatMap((count, position) => (count === 0 ? [position] : [])),
    inFlight: {},
  };
}

/**
 * One step of a transition. Pure; the caller does what the effects say and feeds what comes of it back in.
 *
 * Order (specification 08 §8.2): ready synapses are taken in the order of the graph; a pseudo event completes at once, so what it
 * enables further down is taken in the same pass, what it enables further up in the next one.
 *
 * Limits: at most `limits.batch` actions of agents in flight, at most `limits.actionsPerNode` on a node, at most
 * `limits.migrationsPerNode` migrations on a node; nothing that activates a resource while `limits.activationHeld`, nor what only makes way for that (`makingWay`). Cluster events (fencing, clearing, shutdown) are not limited. What has no room waits, in order.
 *
 * A result that is not what the action expects (its return code, or not executed to the end), a time-out, a failed cluster event or an
 * `abort` input ends the transition early: nothing more is handed out, `withdraw` asks for what nobody has begun, the rest in flight
 * is awaited, then comes `finished`.
 */
export function step(engine: Engine, input: EngineInput): EngineStep {
  if (engine.status === 'finished') return { engine, effects: [] };
  const run = new Run(engine);
  run.accept(input);
  return run.result();
}

/** The mutable inside of one step. */
class Run {
  private readonly effects: EngineEffect[] = [];
  private readonly progress: ActionProgress[];
  private readonly missing: number[];
  private readonly inFlight: Map<string, Engine['inFlight'][string]>;
  private held: number[];
  private status: Engine['status'];
  private abortReason: string | undefined;

  constructor(private readonly engine: Engine) {
    this.progress = engine.progress.slice();
    this.missing = engine.missingInputs.slice();
    this.inFlight = new Map(Object.entries(engine.inFlight));
    this.held = engine.held.slice();
    this.status = engine.status;
    this.abortReason = engine.abortReason;
  }

  accept(input: EngineInput): void {
    switch (input.type) {
      case 'start':
        if (this.status === 'ready') this.status = 'running';
        break;
      case 'result':
        this.answered(input.graphActionId, (action) =>
          asExpected(action, input)
            ? undefined
            : `${describe(action)}: ${input.status === 'done' ? `rc ${String(input.rc)}` : input.status}`,
        );
        break;
      case 'performed':
        this.answered(input.graphActionId, (action) =>
          input.ok ? undefined : `${describe(action)} failed${input.detail === undefined ? '' : `: ${input.detail}`}`,
        );
        break;
      case 'tick':
        this.expire(input.now);
        if (this.progress.some((one) => one === 'failed' || one === 'unanswered')) this.abort('an action was not answered', true);
        break;
      case 'node-lost':
        this.abandon(input.node);
        break;
      case 'abort':
        this.abort(input.reason, false);
        break;
      case 'withdrawn':
        for (const id of input.graphActionIds) this.takeBack(id);
        break;
    }
    if (this.status === 'ready') return;
    this.handOut(input.now);
    if (this.status === 'aborting' && (input.type === 'tick' || this.engine.status !== 'aborting')) this.withdraw();
    this.setTimer(input.type === 'tick');
    this.finish();
  }

  result(): EngineStep {
    const { abortReason } = this;
    const engine: Engine = {
      graph: this.engine.graph,
      limits: this.engine.limits,
      status: this.status,
      progress: this.progress,
      missingInputs: this.missing,
      held: this.held,
      inFlight: Object.fromEntries(this.inFlight),
      ...(abortReason === undefined ? {} : { abortReason }),
    };
    return { engine, effects: this.effects };
  }

  /** An answer; `failure` says why it was not as expected. Answers to what is not in flight are old news. */
  private answered(graphActionId: number, failure: (action: GraphAction) => string | undefined): void {
    const action = this.actionOf(graphActionId);
    if (action === undefined || !this.inFlight.has(String(graphActionId))) return;
    const reason = failure(action);
    this.settle(graphActionId, reason === undefined ? 'done' : 'failed');
    if (reason !== undefined) this.abort(reason, true);
  }

  private actionOf(graphActionId: number): GraphAction | undefined {
    const position = graphIndex(this.engine.graph).positionOf.get(graphActionId);
    return position === undefined ? undefined : this.engine.graph.synapses[position]?.action;
  }

  /** Takes an action out of flight; a done one confirms the inputs of others. */
  private settle(graphActionId: number, progress: ActionProgress): void {
    const position = graphIndex(this.engine.graph).positionOf.get(graphActionId);
    if (position === undefined || !this.inFlight.delete(String(graphActionId))) return;
    this.progress[position] = progress;
    this.held.push(...this.confirm(position, progress));
  }

  /** Confirms the action as input of the dependents for which this is how it should end; answers those that are ready with it, ascending. */
  private confirm(position: number, progress: ActionProgress): number[] {
    const ready: number[] = [];
    for (const dependent of confirmedBy(this.engine.graph, position, progress)) {
      const missing = (this.missing[dependent] ?? 0) - 1;
      this.missing[dependent] = missing;
      if (missing === 0) ready.push(dependent);
    }
    return ready;
  }

  /** What was not answered in time has timed out, which is recorded as its result and counts as one: a late notification fails nothing. */
  private expire(now: number): void {
    for (const [id, { expiresAt, node }] of this.inFlight) {
      if (expiresAt === undefined || expiresAt > now) continue;
      const action = this.actionOf(Number(id));
      if (action === undefined || node === undefined) continue;
      const expected = asExpected(action, TIMED_OUT);
      this.settle(Number(id), expected ? 'done' : 'failed');
      this.effects.push({ type: 'record-timeout', action, node, at: now });
      if (!expected) this.abort(`${describe(action)}: no answer in time`, true);
    }
  }

  private abandon(node: string): void {
    const gone = unansweredBy({ ...this.engine, inFlight: Object.fromEntries(this.inFlight) }, node);
    for (const id of gone) this.settle(id, 'unanswered');
    if (gone.length > 0) this.abort(`${node} was lost`, true);
  }

  private abort(reason: string, found: boolean): void {
    if (this.status !== 'running' && this.status !== 'ready') return;
    this.status = 'aborting';
    this.abortReason = reason;
    if (found) this.effects.push({ type: 'aborted', reason });
  }

  private withdraw(): void {
    const { graph } = this.engine;
    const graphActionIds = [...this.inFlight.keys()].map(Number).filter((id) => {
      const position = graphIndex(graph).positionOf.get(id);
      return position === undefined || graph.synapses[position]?.action.operation !== 'notify';
    });
    if (graphActionIds.length > 0) this.effects.push({ type: 'withdraw', graphActionIds });
  }

  private takeBack(graphActionId: number): void {
    const position = graphIndex(this.engine.graph).positionOf.get(graphActionId);
    if (position === undefined || !this.inFlight.delete(String(graphActionId))) return;
    this.progress[position] = 'waiting';
    this.held.push(position);
  }

  /** Asks to be woken when the earliest action in flight expires; on request, or when that time changed. */
  private setTimer(always: boolean): void {
    const earliest = earliestExpiry(this.inFlight.values());
    if (earliest === undefined || (!always && earliest === earliestExpiry(Object.values(this.engine.inFlight)))) return;
    this.effects.push({ type: 'set-timer', at: earliest });
  }

  /** Takes everything that is ready and has room, pass by pass. */
  private handOut(now: number): void {
    const occupancy = new Occupancy(this.engine.limits, this.inFlight.values());
    const blocked: number[] = [];
    let pass = this.held;
    while (pass.length > 0) {
      const queue = new MinHeap(pass);
      pass = [];
      for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
        const ready = this.take(position, occupancy, now);
        if (ready === undefined) blocked.push(position);
        for (const dependent of ready ?? []) {
          if (dependent > position) queue.push(dependent);
          else pass.push(dependent);
        }
      }
    }
    this.held = blocked.sort((a, b) => a - b);
  }

  /**
   * Executes one ready synapse; answers what became ready with it, or undefined when it has to wait. An aborting transition completes pseudo
   * events, which do nothing, and notifications of what has happened, and nothing else: so it stands where it would stand had it been rebuilt
   * from its results.
   */
  private take(position: number, occupancy: Occupancy, now: number): number[] | undefined {
    const synapse = this.engine.graph.synapses[position];
    const action = synapse?.action;
    if (action === undefined) return [];
    if (action.kind === 'pseudo_event') {
      this.progress[position] = 'done';
      return this.confirm(position, 'done');
    }
    if (this.status !== 'running' && !outlastsAbort(synapse)) return undefined;
    if (action.kind === 'crm_event') {
      this.progress[position] = 'in-flight';
      this.inFlight.set(String(action.id), { migration: false });
      this.effects.push({ type: 'perform', action, event: crmEventOf(action) });
      return [];
    }
    if (isHeld(action, this.engine.limits) || this.makingWay().has(action.id)) return undefined;
    const node = executingNode(action) ?? '';
    if (!occupancy.admit(node, isMigration(action))) return undefined;
    const expiresAt = now + timeoutMsOf(action) + startDelayMsOf(action) + this.engine.limits.networkAllowanceMs;
    this.progress[position] = 'in-flight';
    this.inFlight.set(String(action.id), { node, migration: isMigration(action), expiresAt });
    this.effects.push({ type: 'dispatch', action, node, expiresAt });
    return [];
  }

  private makingWay(): ReadonlySet<number> {
    const { graph, limits } = this.engine;
    const known = waysMade.get(limits) ?? makingWay(graph, limits);
    waysMade.set(limits, known);
    return known;
  }

  private finish(): void {
    if (this.status === 'ready' || this.inFlight.size > 0) return;
    if (this.status === 'running' && this.held.length > 0) return;
    const count = (...wanted: ActionProgress[]): number => this.progress.filter((one) => wanted.includes(one)).length;
    const failed = count('failed', 'unanswered');
    const outcome = this.status === 'aborting' || failed > 0 ? 'aborted' : 'complete';
    this.status = 'finished';
    this.effects.push({ type: 'finished', outcome, completed: count('done'), skipped: count('waiting'), failed });
  }
}

/** Limits are made for one graph. */
const waysMade = new WeakMap<EngineLimits, ReadonlySet<number>>();

/** The result that is recorded for an action that was not answered in time. */
const TIMED_OUT = { status: 'timeout', rc: 1 } as const;

function asExpected(action: GraphAction, result: { readonly status: OperationStatus; readonly rc: number }): boolean {
  return isExpected({ operation: action.operation, intervalMs: intervalMsOf(action), ...result }, expectedRcOf(action));
}

/** How much room is left under the limits. */
class Occupancy {
  private total = 0;
  private readonly byNode = new Map<string, { actions: number; migrations: number }>();

  constructor(
    private readonly limits: EngineLimits,
    inFlight: Iterable<Engine['inFlight'][string]>,
  ) {
    for (const { node, migration } of inFlight) if (node !== undefined) this.add(node, migration);
  }

  admit(node: string, migration: boolean): boolean {
    const { batch, actionsPerNode, migrationsPerNode } = this.limits;
    const on = this.byNode.get(node) ?? { actions: 0, migrations: 0 };
    if (this.total >= batch || on.actions >= actionsPerNode) return false;
    if (migration && migrationsPerNode !== undefined && on.migrations >= migrationsPerNode) return false;
    this.add(node, migration);
    return true;
  }

  private add(node: string, migration: boolean): void {
    const on = this.byNode.get(node) ?? { actions: 0, migrations: 0 };
    this.byNode.set(node, { actions: on.actions + 1, migrations: on.migrations + (migration ? 1 : 0) });
    this.total += 1;
  }
}

function earliestExpiry(inFlight: Iterable<Engine['inFlight'][string]>): number | undefined {
  let earliest: number | undefined;
  for (const { expiresAt } of inFlight) {
    if (expiresAt !== undefined && (earliest === undefined || expiresAt < earliest)) earliest = expiresAt;
  }
  return earliest;
}

/** Graph action ids in flight on a node, ascending: what nobody will answer once that node is lost. */
export function unansweredBy(engine: Engine, node: string): readonly number[] {
  return Object.entries(engine.inFlight)
    .filter(([, flight]) => flight.node === node)
    .map(([id]) => Number(id));
}

/** An action in words: `start of db on n1`. */
export function describe(action: GraphAction): string {
  const of = action.primitive === undefined ? '' : ` of ${action.primitive.longId ?? action.primitive.id}`;
  const on = action.node === undefined ? '' : ` on ${action.node.name}`;
  return `${action.operation}${of}${on}`;
}

/** What a `crm_event` asks of the worker. */
export function crmEventOf(action: GraphAction): CrmEvent {
  const node = action.node?.name ?? '';
  const resource = action.primitive?.id ?? '';
  switch (action.operation) {
    case 'stonith':
      return fenceEventOf(action, node);
    case 'do_shutdown':
      return { type: 'shutdown', node };
    case 'lrm_delete':
      return { type: 'lrm-delete', resource, node };
    default: {
      const interval = intervalMsOf(action);
      const operation = action.attributes['CRM_meta_operation'];
      return {
        type: 'clear-failcount',
        resource,
        node,
        ...(operation === undefined ? {} : { operation, intervalMs: interval }),
      };
    }
  }
}

function fenceEventOf({ attributes, node }: GraphAction, target: string): CrmEvent {
  const wanted = attributes['CRM_meta_stonith_action'];
  const delay = Number.parseInt(attributes['CRM_meta_priority_fencing_delay'] ?? '', 10);
  const { CRM_meta_digests_all: all, CRM_meta_digests_secure: secure } = attributes;
  return {
    type: 'fence',
    target,
    targetId: node?.id ?? '',
    action: wanted === 'on' || wanted === 'off' ? wanted : 'reboot',
    ...(delay > 0 ? { delayMs: delay * 1000 } : {}),
    ...(wanted === 'on' && all !== undefined ? { digests: { all, secure: secure ?? '' } } : {}),
  };
}
