import type { GraphAction, TransitionGraph } from '@systole/scheduler';
import type { OperationStatus } from '../events/cluster-event.js';
import { isDiscovery, isExpected, type Outcome } from '../state/history.js';
import type { ActionProgress, CrmEvent, EngineEffect, EngineInput, EngineLimits, EngineStanding, Flight } from './engine-types.js';
import {
  actionIn,
  confirmedBy,
  executingNode,
  expectedRcOf,
  graphIndex,
  intervalMsOf,
  isMigration,
  startDelayMsOf,
  timeoutMsOf,
  withoutInputs,
} from './graph-index.js';
import { isHeld, makingWay, makingWayUnproven } from './making-way.js';
import { bulkOf } from './bulk.js';
import { Expiries } from './expiries.js';
import { Occupancy } from './occupancy.js';
import { isProbeInGraph, outlastsAbortInGraph } from './outlasting.js';
import { ReadyActions } from './ready-actions.js';
import { isConnectionAction } from '../remote/connection.js';

/** An engine for a graph that was just planned. Nothing happens before the input `start`. */
export function createEngine(graph: TransitionGraph, limits: EngineLimits): Engine {
  const { inputCounts } = graphIndex(graph);
  return new Engine(graph, limits, {
    status: 'ready',
    probing: false,
    progress: graph.synapses.map(() => 'waiting'),
    missingInputs: inputCounts,
    held: withoutInputs(inputCounts),
    inFlight: {},
  });
}

/**
 * The running of one graph. Derived data, never stored: `resumeEngine` makes the same one from the stream and the dispatch rows at any time, and whoever keeps one steps it on with
 * each new result, which costs what the result enables.
 */
export class Engine {
  private state: EngineStanding['status'];
  private reason: string | undefined;
  private probes: boolean;
  private readonly progress: ActionProgress[];
  /** How many inputs of each synapse are not confirmed yet. */
  private readonly missing: Int32Array;
  private readonly counts: Record<ActionProgress, number> = { waiting: 0, 'in-flight': 0, done: 0, failed: 0, unanswered: 0 };
  /** By graph action id. */
  private readonly inFlight = new Map<number, Flight>();
  private readonly ready: ReadyActions;
  private readonly occupancy: Occupancy;
  /** Ids of those in flight that the server does itself: cluster events, and operations of connections. */
  private readonly performed = new Set<number>();
  private readonly expiries = new Expiries();
  private effects: EngineEffect[] = [];
  /** Probes that are not answered yet. */
  private probesOpen = 0;

  constructor(
    readonly graph: TransitionGraph,
    readonly limits: EngineLimits,
    { status, abortReason, probing, progress, missingInputs, held, inFlight }: EngineStanding,
  ) {
    this.state = status;
    this.reason = abortReason;
    this.probes = probing;
    this.progress = progress.slice();
    for (const [position, one] of progress.entries()) {
      this.counts[one] += 1;
      if (isOpen(one) && this.isProbeAt(position)) this.probesOpen += 1;
    }
    this.missing = Int32Array.from(missingInputs);
    this.occupancy = new Occupancy(limits);
    for (const [id, flight] of Object.entries(inFlight)) this.launch(Number(id), flight);
    this.ready = new ReadyActions(held, this.occupancy);
  }

  get status(): EngineStanding['status'] {
    return this.state;
  }

  /** Whether it is aborting for nothing but what its probes discovered, so that they go on. */
  get probing(): boolean {
    return this.probes;
  }

  /** The cluster events and operations of connections that whoever asks for the steps carries out, or is at, in the order of their graph action ids. */
  get performing(): readonly { readonly action: GraphAction; readonly event: CrmEvent }[] {
    return [...this.performed]
      .sort((a, b) => a - b)
      .flatMap((id) => {
        const action = actionIn(this.graph, id);
        return action === undefined ? [] : [{ action, event: crmEventOf(action) }];
      });
  }

  /** Epoch ms at which the server may give up on the next agent; undefined while none is waited for. */
  get nextExpiry(): number | undefined {
    return this.expiries.earliest;
  }

  /** How many actions agents are at, as far as the engine knows. */
  get inFlightAtAgents(): number {
    return this.inFlight.size - this.performed.size;
  }

  /** How many actions agents would be at, were there no limit on how many at once; costs what there are nodes. */
  get waitingForRoom(): number {
    return this.ready.waitingForRoom;
  }

  /** How many actions nobody will answer, as their node was lost. */
  get unanswered(): number {
    return this.counts.unanswered;
  }

  isInFlight(graphActionId: number): boolean {
    return this.inFlight.has(graphActionId);
  }

  /** Graph action ids of what agents are at, as far as the engine knows. */
  get handedOut(): readonly number[] {
    return [...this.inFlight].flatMap(([id, { node }]) => (node === undefined ? [] : [id]));
  }

  /** Where everything stands; costs what the graph has. */
  standing(): EngineStanding {
    return {
      status: this.state,
      probing: this.probes,
      progress: this.progress.slice(),
      missingInputs: this.missing.slice(),
      held: this.ready.positions(),
      inFlight: Object.fromEntries(this.inFlight),
      ...(this.reason === undefined ? {} : { abortReason: this.reason }),
    };
  }

  /**
   * One step; the caller does what the effects say and feeds what comes of it back in.
   *
   * Order (specification 08 §8.2): ready synapses are taken in the order of the graph; a pseudo event completes at once, so what it
   * enables further down is taken in the same pass, what it enables further up in the next one.
   *
   * Limits: at most `limits.batch` actions of agents in flight, at most `limits.actionsOnNode` or `limits.actionsPerNode` on a node, at most
   * `limits.migrationsPerNode` migrations on a node, large ones only as long as those in flight carry less than `limits.bulk` together; nothing that activates a resource while `limits.activationHeld`, nor what only makes way for that (`makingWay`); nor, until all probes are answered, what only makes way for something on a node that is being probed (`makingWayUnproven`). Cluster events (fencing, clearing, shutdown) and connections are not limited. What has no room waits, in order.
   *
   * A result that is not what the action expects (its return code, or not executed to the end), a time-out, a failed cluster event or an
   * `abort` input ends the transition early: nothing more is handed out, what is in flight is awaited, then comes `finished`. As long as it is nothing but what probes discovered (`isDiscovery`), the other probes go on, within
   * the limits. A finished engine answers every input with no effects.
   */
  step(input: EngineInput): readonly EngineEffect[] {
    if (this.state === 'finished') return [];
    const before = this.state;
    this.effects = [];
    this.accept(input);
    if (this.state !== 'ready') {
      if (this.state === 'aborting' && before !== 'aborting') this.ready.lookAtAll();
      this.handOut(input.now);
      this.finish();
    }
    return this.effects;
  }

  private accept(input: EngineInput): void {
    switch (input.type) {
      case 'start':
        if (this.state === 'ready') this.state = 'running';
        break;
      case 'result':
        this.answered(
          input.graphActionId,
          (action) =>
            asExpected(action, input)
              ? undefined
              : `${describe(action)}: ${input.status === 'done' ? `rc ${String(input.rc)}` : input.status}`,
          (action) => isDiscovery(outcomeOf(action, input), expectedRcOf(action)),
        );
        break;
      case 'performed':
        this.answered(input.graphActionId, (action) =>
          input.ok ? undefined : `${describe(action)} failed${input.detail === undefined ? '' : `: ${input.detail}`}`,
        );
        break;
      case 'tick':
        this.expire(input.now);
        if (this.state !== 'aborting' && this.counts.failed + this.counts.unanswered > 0) this.abort('an action was not answered', true);
        break;
      case 'node-lost':
        this.abandon(input.node);
        break;
      case 'abort':
        this.abort(input.reason, false);
        break;
    }
  }

  /** An answer; `failure` says why it was not as expected, `discovered` whether the others may look on all the same. Answers to what is not in flight are old news. */
  private answered(
    graphActionId: number,
    failure: (action: GraphAction) => string | undefined,
    discovered: (action: GraphAction) => boolean = () => false,
  ): void {
    const action = actionIn(this.graph, graphActionId);
    if (action === undefined || !this.inFlight.has(graphActionId)) return;
    const reason = failure(action);
    this.settle(graphActionId, reason === undefined ? 'done' : 'failed');
    if (reason !== undefined) this.abort(reason, true, discovered(action));
  }

  private mark(position: number, progress: ActionProgress): void {
    const before = this.progress[position] ?? 'waiting';
    this.counts[before] -= 1;
    this.counts[progress] += 1;
    this.progress[position] = progress;
    if (this.probesOpen === 0 || isOpen(progress) || !isOpen(before) || !this.isProbeAt(position)) return;
    this.probesOpen -= 1;
    if (this.probesOpen === 0) this.ready.lookAtAll();
  }

  private isProbeAt(position: number): boolean {
    const synapse = this.graph.synapses[position];
    return synapse !== undefined && isProbeInGraph(synapse.action);
  }

  private launch(graphActionId: number, flight: Flight): void {
    this.inFlight.set(graphActionId, flight);
    if (flight.expiresAt !== undefined) this.expiries.add(flight.expiresAt);
    if (flight.node === undefined) this.performed.add(graphActionId);
    else this.occupancy.add(flight.node, flight.migration, this.bulkOf(graphActionId));
  }

  /** @returns whether it was in flight */
  private land(graphActionId: number): boolean {
    const flight = this.inFlight.get(graphActionId);
    if (flight === undefined) return false;
    this.inFlight.delete(graphActionId);
    if (flight.expiresAt !== undefined) this.expiries.remove(flight.expiresAt);
    if (flight.node === undefined) this.performed.delete(graphActionId);
    else {
      this.occupancy.remove(flight.node, flight.migration, this.bulkOf(graphActionId));
      this.ready.roomOn(flight.node);
    }
    return true;
  }

  private bulkOf(graphActionId: number): number {
    const action = actionIn(this.graph, graphActionId);
    return action === undefined ? 0 : bulkOf(action);
  }

  /** Takes an action out of flight; a done one confirms the inputs of others. */
  private settle(graphActionId: number, progress: ActionProgress): void {
    const position = graphIndex(this.graph).positionOf.get(graphActionId);
    if (position === undefined || !this.land(graphActionId)) return;
    this.mark(position, progress);
    for (const enabled of this.confirm(position, progress)) this.ready.add(enabled);
  }

  /** Confirms the action as input of the dependents for which this is how it should end; answers those that are ready with it, ascending. */
  private confirm(position: number, progress: ActionProgress): number[] {
    const ready: number[] = [];
    for (const dependent of confirmedBy(this.graph, position, progress)) {
      const missing = (this.missing[dependent] ?? 0) - 1;
      this.missing[dependent] = missing;
      if (missing === 0) ready.push(dependent);
    }
    return ready;
  }

  /** What was not answered in time has timed out, which is recorded as its result and counts as one: a late notification fails nothing. */
  private expire(now: number): void {
    const { earliest } = this.expiries;
    if (earliest === undefined || earliest > now) return;
    for (const [id, { expiresAt, node }] of [...this.inFlight].sort(([a], [b]) => a - b)) {
      if (expiresAt === undefined || expiresAt > now) continue;
      const action = actionIn(this.graph, id);
      if (action === undefined || node === undefined) continue;
      const expected = asExpected(action, TIMED_OUT);
      this.settle(id, expected ? 'done' : 'failed');
      this.effects.push({ type: 'record-timeout', action, node, at: now });
      if (!expected) this.abort(`${describe(action)}: no answer in time`, true);
    }
  }

  private abandon(node: string): void {
    const gone = [...this.inFlight].flatMap(([id, flight]) => (flight.node === node ? [id] : []));
    for (const id of gone) this.settle(id, 'unanswered');
    if (gone.length > 0) this.abort(`${node} was lost`, true);
  }

  /** @param found whether the engine itself found the reason @param discovered by what a probe was to find out */
  private abort(reason: string, found: boolean, discovered = false): void {
    const begins = this.state === 'running' || this.state === 'ready';
    this.probes = discovered && (begins || this.probes);
    if (!begins) return;
    this.state = 'aborting';
    this.reason = reason;
    if (found) this.effects.push({ type: 'aborted', reason });
  }

  /** Takes everything that is ready and has room, pass by pass. */
  private handOut(now: number): void {
    let later: number[] = [];
    for (;;) {
      const position = this.ready.next();
      if (position === undefined) {
        if (later.length === 0) return;
        for (const one of later) this.ready.add(one);
        later = [];
        continue;
      }
      for (const dependent of this.take(position, now)) {
        if (dependent > position) this.ready.add(dependent);
        else later.push(dependent);
      }
    }
  }

  /**
   * Executes one ready synapse, unless it has to wait; answers what became ready with it. An aborting transition completes pseudo
   * events, which do nothing, notifications of what has happened, probes where only probes speak against it, and nothing else: so it stands where it would stand had it been rebuilt
   * from its results.
   */
  private take(position: number, now: number): readonly number[] {
    const synapse = this.graph.synapses[position];
    if (synapse === undefined) return NONE;
    const { action } = synapse;
    if (action.kind === 'pseudo_event') {
      this.mark(position, 'done');
      return this.confirm(position, 'done');
    }
    if (this.state !== 'running' && !outlastsAbortInGraph(action, this.probes)) {
      this.ready.keep(position);
      return NONE;
    }
    if (action.kind === 'crm_event') return this.perform(position, action);
    if (
      isHeld(action, this.limits) ||
      this.makingWay().has(action.id) ||
      (this.probesOpen > 0 && this.makingWayUnproven().has(action.id))
    ) {
      this.ready.keep(position);
      return NONE;
    }
    if (isConnectionAction(action)) return this.perform(position, action);
    const node = executingNode(action) ?? '';
    const migration = isMigration(action);
    const large = bulkOf(action) > 0;
    if (!this.occupancy.inAll(large) || !this.occupancy.on(node, migration)) {
      this.ready.waitForRoom(position, node, migration, large);
      return NONE;
    }
    const expiresAt = now + timeoutMsOf(action) + startDelayMsOf(action) + this.limits.networkAllowanceMs;
    this.mark(position, 'in-flight');
    this.launch(action.id, { node, migration, expiresAt });
    this.effects.push({ type: 'dispatch', action, node, expiresAt });
    return NONE;
  }

  /** What the server does itself; nothing limits it. */
  private perform(position: number, action: GraphAction): readonly number[] {
    this.mark(position, 'in-flight');
    this.launch(action.id, { migration: false });
    this.effects.push({ type: 'perform', action, event: crmEventOf(action) });
    return NONE;
  }

  private makingWay(): ReadonlySet<number> {
    return this.waysOf(waysMade, makingWay);
  }

  private makingWayUnproven(): ReadonlySet<number> {
    return this.waysOf(unprovenWaysMade, makingWayUnproven);
  }

  private waysOf(made: WaysMade, of: typeof makingWay): ReadonlySet<number> {
    const { graph, limits } = this;
    const known = made.get(limits) ?? of(graph, limits);
    made.set(limits, known);
    return known;
  }

  private finish(): void {
    if (this.inFlight.size > 0) return;
    if (this.state === 'running' && this.ready.size > 0) return;
    const { done, failed, unanswered } = this.counts;
    const outcome = this.state === 'aborting' || failed + unanswered > 0 ? 'aborted' : 'complete';
    this.state = 'finished';
    this.probes = false;
    this.effects.push({ type: 'finished', outcome, completed: done, skipped: this.counts.waiting, failed: failed + unanswered });
  }
}

const NONE: readonly number[] = [];

/** Limits are made for one graph. */
type WaysMade = WeakMap<EngineLimits, ReadonlySet<number>>;
const waysMade: WaysMade = new WeakMap();
const unprovenWaysMade: WaysMade = new WeakMap();

function isOpen(progress: ActionProgress): boolean {
  return progress === 'waiting' || progress === 'in-flight';
}

/** The result that is recorded for an action that was not answered in time. */
const TIMED_OUT = { status: 'timeout', rc: 1 } as const;

interface Answer {
  readonly status: OperationStatus;
  readonly rc: number;
}

function outcomeOf(action: GraphAction, { status, rc }: Answer): Outcome {
  return { operation: action.operation, intervalMs: intervalMsOf(action), status, rc };
}

function asExpected(action: GraphAction, answer: Answer): boolean {
  return isExpected(outcomeOf(action, answer), expectedRcOf(action));
}

/** An action in words: `start of db on n1`. */
export function describe(action: GraphAction): string {
  const of = action.primitive === undefined ? '' : ` of ${action.primitive.longId ?? action.primitive.id}`;
  const on = action.node === undefined ? '' : ` on ${action.node.name}`;
  return `${action.operation}${of}${on}`;
}

/** What a `crm_event`, or an operation of a connection, asks of the worker. */
export function crmEventOf(action: GraphAction): CrmEvent {
  if (isConnectionAction(action)) return { type: 'connection' };
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
