import {
  countQuorum,
  crmEventOf,
  decide,
  engineLimits,
  fencingStep,
  isRunning,
  leaseVerdict,
  planningHold,
  resumeEngine,
  step,
  toAgentAction,
  toFenceAction,
  type ClusterCommand,
  type ClusterState,
  type EngineEffect,
  type FencingOperation,
  type RunningState,
} from '@systole/cluster';
import type { GraphAction, TransitionGraph } from '@systole/scheduler';
import type { Database } from './database.js';
import type { Random } from './random.js';
import type { Timeline } from './timeline.js';

export const CLUSTER = 'c';

/** Computes the graph for a state. */
export type Plan = (state: ClusterState, nowSeconds: number) => TransitionGraph;

const ANSWER_ALLOWANCE_MS = 10_000;

/**
 * One worker process, by the protocol of apps/worker: look at the head, derive everything, act, and append each decision with the version that
 * it was made on. Several may run at once and know nothing of one another: that they then do no harm is what is tested. Between any two
 * actions it may be interrupted for a while, or killed.
 */
export class Worker {
  private alive = true;
  private busy = false;

  constructor(
    private readonly name: string,
    private readonly database: Database,
    private readonly timeline: Timeline,
    private readonly random: Random,
    private readonly plan: Plan,
  ) {}

  kill(): void {
    this.alive = false;
  }

  start(): void {
    this.alive = true;
    this.busy = false;
  }

  /** Looks at the cluster, unless it is doing so. */
  wake(): void {
    if (!this.alive || this.busy) return;
    this.busy = true;
    this.continue(() => {
      this.turn();
    });
  }

  /** Goes on a little later; not at all if it was killed meanwhile. */
  private continue(run: () => void): void {
    const pause = this.random.chance(0.03) ? this.random.between(100, 4000) : this.random.between(0, 5);
    this.timeline.after(pause, () => {
      if (this.alive) run();
    });
  }

  private rest(): void {
    this.busy = false;
  }

  private again(): void {
    this.continue(() => {
      this.turn();
    });
  }

  /** Appends a decision made on `state`; whatever comes of it, the cluster is looked at again. False: nothing to do. */
  private decide(state: ClusterState, command: ClusterCommand): boolean {
    const decision = decide(command, state);
    if (!decision.ok) throw new Error(`${command.type} was refused: ${decision.rejection.message}`);
    if (decision.events.length === 0) return false;
    this.database.append(state.version, decision.events, this.name);
    this.again();
    return true;
  }

  private turn(): void {
    const { state } = this.database;
    if (this.watchLeases(state)) return;
    if (isRunning(state)) {
      this.drive(state);
      return;
    }
    if (state.recompute === undefined || planningHold(state, (_cause, moment) => this.timeline.now - moment) !== undefined) {
      this.rest();
      return;
    }
    const now = Math.floor(this.timeline.now / 1000);
    const graph = this.plan(state, now);
    this.continue(() => {
      const decision = decide(planOf(state, graph, now), state);
      if (decision.ok && this.database.append(state.version, decision.events, this.name)) {
        this.database.graphs.set(this.database.state.lastTransitionNumber, graph);
      }
      this.again();
    });
  }

  private watchLeases(state: ClusterState): boolean {
    const holders: string[] = [];
    for (const member of Object.values(state.nodes)) {
      const lease = this.database.leases.get(member.name);
      if (member.membership !== 'joined' || lease?.incarnation !== member.incarnation) continue;
      const verdict = leaseVerdict(state, member.name, lease.expiresAt, this.timeline.now);
      if (verdict.type === 'held') holders.push(member.name);
      if (verdict.type !== 'lost') continue;
      const expiredAt = new Date(lease.expiresAt).toISOString();
      if (this.decide(state, { type: 'lose-lease', node: member.name, incarnation: member.incarnation, expiredAt })) return true;
    }
    return this.decide(state, { type: 'change-quorum', ...countQuorum(state, holders) });
  }

  private drive(state: RunningState): void {
    const { transition } = state;
    const graph = this.graphOf(state);
    if (transition.status === 'aborting') this.database.withdrawUndelivered(transition.number);
    const rows = this.database.dispatchesOf(transition.number).filter((row) => row.action.kind !== 'fence');
    const engine = resumeEngine(
      graph,
      engineLimits(graph, state.cib),
      state,
      rows.map((row) => ({
        graphActionId: row.graphActionId,
        dispatchedAt: row.createdAt,
        ...(row.deliveredTo === undefined ? {} : { incarnation: row.deliveredTo }),
      })),
    );
    const { effects } = step(engine, { type: 'tick', now: this.timeline.now });
    this.obey(state, effects);
  }

  /** The stored graph; when it was lost, the plan is made again, from the state that it was made from. */
  private graphOf(state: RunningState): TransitionGraph {
    const stored = this.database.graphs.get(state.transition.number);
    if (stored !== undefined) return stored;
    const graph = this.plan(this.database.stateAt(state.transition.inputVersion), state.transition.now);
    this.database.graphs.set(state.transition.number, graph);
    return graph;
  }

  /** Effects one by one, with pauses in between; after a decision everything is derived anew. */
  private obey(state: RunningState, effects: readonly EngineEffect[]): void {
    const [effect, ...rest] = effects;
    if (effect === undefined) {
      this.awaitFencing(state);
      return;
    }
    if (this.carryOut(state, effect)) return;
    this.continue(() => {
      this.obey(state, rest);
    });
  }

  /** True when the cluster is to be looked at again instead of going on with the other effects. */
  private carryOut(state: RunningState, effect: EngineEffect): boolean {
    const { number, status } = state.transition;
    switch (effect.type) {
      case 'dispatch': {
        const action = toAgentAction(effect.action, { clusterId: CLUSTER, transition: number, cib: state.cib });
        const row = { actionId: action.actionId, transition: number, graphActionId: effect.action.id, node: effect.node, action };
        if (this.database.insertDispatches(state.version, [row])) return false;
        this.again();
        return true;
      }
      case 'perform':
        return this.perform(state, effect.action);
      case 'record-timeout': {
        const action = toAgentAction(effect.action, { clusterId: CLUSTER, transition: number, cib: state.cib });
        const { actionId, transitionKey, resource, operation, intervalMs, timeoutMs } = action;
        const unanswered = { actionId, transitionKey, resource, operation, intervalMs, node: effect.node };
        const at = Math.floor(effect.at / 1000);
        return this.decide(state, { type: 'record-unanswered', actions: [{ ...unanswered, at, execMs: timeoutMs }] });
      }
      case 'aborted':
        return status === 'running' && this.decide(state, { type: 'abort-transition', number, reason: effect.reason });
      case 'finished': {
        if (Object.values(state.fencing).some((attempt) => attempt.transition === number)) return false;
        const { outcome, completed, skipped, failed } = effect;
        return this.decide(state, { type: 'complete-transition', result: { number, outcome, completed, skipped, failed } });
      }
      case 'withdraw':
      case 'set-timer':
        return false;
    }
  }

  private perform(state: RunningState, action: GraphAction): boolean {
    const event = crmEventOf(action);
    const graphAction = { transition: state.transition.number, id: action.id };
    switch (event.type) {
      case 'clear-failcount':
        return this.decide(state, { ...event, type: 'clear-failures', graphAction });
      case 'lrm-delete':
        return this.decide(state, { ...event, type: 'delete-history', graphAction });
      case 'shutdown':
        return false;
      case 'fence':
        return this.fence(state, { ...graphAction, graphActionId: action.id, target: event.target, action: event.action });
    }
  }

  private fence(state: RunningState, operation: FencingOperation): boolean {
    const next = fencingStep(state, operation);
    if (next.type !== 'request') return false;
    const { transition, graphActionId, attempt } = next.request;
    const fencingId = `${CLUSTER}:${String(transition)}:${String(graphActionId)}:${String(attempt)}`;
    return this.decide(state, { type: 'request-fencing', request: { ...next.request, fencingId } });
  }

  /** Hands pending attempts out, and gives up on executors that do not answer. */
  private awaitFencing(state: RunningState): void {
    for (const attempt of Object.values(state.fencing)) {
      if (attempt.transition !== state.transition.number) continue;
      const action = toFenceAction(state, attempt, { clusterId: CLUSTER });
      const row = this.database.dispatches.find(({ actionId }) => actionId === action?.actionId);
      const gone = state.nodes[attempt.executor]?.membership !== 'joined';
      const { fencingId, target, device, executor } = attempt;
      const give = (outcome: 'failed' | 'timeout'): boolean =>
        this.decide(state, { type: 'complete-fencing', result: { fencingId, target, action: attempt.action, device, executor, outcome } });
      if (action === undefined || gone || (row === undefined && state.transition.status === 'aborting')) {
        if (give('failed')) return;
      } else if (row === undefined) {
        const { actionId } = action;
        const dispatch = { actionId, transition: attempt.transition, graphActionId: attempt.graphActionId, node: executor, action };
        this.database.insertDispatches(state.version, [dispatch]);
        this.again();
        return;
      } else if (row.createdAt + action.timeoutMs + ANSWER_ALLOWANCE_MS <= this.timeline.now) {
        if (give('timeout')) return;
      }
    }
    this.rest();
  }
}

function planOf(state: ClusterState, graph: TransitionGraph, now: number): ClusterCommand {
  const count = (test: (action: GraphAction) => boolean): number => graph.synapses.filter(({ action }) => test(action)).length;
  const pseudo = count((action) => action.kind === 'pseudo_event');
  const fencing = count((action) => action.operation === 'stonith' && action.kind === 'crm_event');
  return {
    type: 'plan-transition',
    plan: {
      inputVersion: state.version,
      now,
      schedulerVersion: 'chaos',
      digest: '',
      counts: { actions: graph.synapses.length - pseudo - fencing, pseudo, fencing },
      trigger: state.recompute?.reason ?? '',
      summary: [],
    },
  };
}
