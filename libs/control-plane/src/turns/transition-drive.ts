import {
  actionIdOf,
  connectionAnswer,
  connectionTimedOut,
  crmEventOf,
  epochOf,
  engineLimits,
  executingNode,
  isConnectionAction,
  memberOf,
  outlastsAbortInGraph,
  parseTransitionKey,
  planTime,
  resultOf,
  resumeEngine,
  toAgentAction,
  type ActionContext,
  type ClusterEvent,
  type CrmEvent,
  type Engine,
  type EngineEffect,
  type GraphAction,
  type TransitionGraph,
  type TransitionState,
  type ConnectionOutcome,
} from '@systole/cluster';
import type { Dispatches, DispatchRow, LostDispatch, NewDispatch } from '../ports/dispatches.js';
import type { AgentTraits } from '../ports/agent-traits.js';
import type { WorkerFigures } from '../ports/figures.js';
import type { AnswerTally } from './answer-tally.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';
import { progressOf, type Decisions } from './decisions.js';
import type { KeptEngine, KeptEngines } from './kept-engines.js';
import { LostGraphDrive } from './lost-graph-drive.js';
import type { FencingDrive } from './fencing-drive.js';
import type { TransitionGraphs } from './transition-graphs.js';
import { MOVED, restingUntil, type Progress } from './progress.js';
import type { StandingHandOut } from './standing-hand-out.js';
import { unansweredAction } from './unanswered-action.js';

/** How often what is about to be given up is looked at, ms. */
const LOOK_MS = 500;

/** For how long what probes discovered waits for the other probes, ms: the next plan may have to recover some of it. */
const PROBING_MS = 10_000;

type Effect<T extends EngineEffect['type']> = Extract<EngineEffect, { readonly type: T }>;

/** An action of the graph of a transition. */
interface GraphActionOf {
  readonly transition: number;
  readonly id: number;
}

/** An engine for a turn, and what it has to be told. */
type EngineAtTurn = Pick<KeptEngine, 'engine' | 'news'> & { readonly compared: boolean };

/**
 * Moves a running transition one turn on. Everything is derived from the stream, the graph and the dispatch rows, so that it makes no
 * difference whether the turn before was this worker's, or another's that was killed in the middle: the engine that a turn leaves behind saves the next one the derivation, and is
 * what it would come to.
 */
export class TransitionDrive {
  private readonly withoutGraph: LostGraphDrive;

  constructor(
    private readonly graphs: TransitionGraphs,
    private readonly dispatches: Dispatches,
    private readonly decisions: Decisions,
    private readonly fencing: FencingDrive,
    private readonly standing: StandingHandOut,
    private readonly engines: KeptEngines,
    private readonly tally: AnswerTally,
    private readonly figures: Pick<WorkerFigures, 'handedOut' | 'takenBack' | 'gaveUp' | 'transitionEnded'>,
    private readonly traits: AgentTraits,
  ) {
    this.withoutGraph = new LostGraphDrive(dispatches, decisions, fencing);
  }

  async turn(cluster: ClusterAtTurn, transition: TransitionState): Promise<Progress> {
    const graph = await this.graphs.of(cluster, transition);
    if (!graph) {
      const reason = 'its graph was lost and this version of the scheduler plans another one';
      if (transition.status === 'running') {
        return this.decisions.decide(cluster, { type: 'abort-transition', number: transition.number, reason });
      }
      const waiting = await this.withoutGraph.windDown(cluster, transition);
      return waiting ?? this.complete(cluster, { type: 'finished', outcome: 'aborted', completed: 0, skipped: 0, failed: 0 }, 0);
    }
    this.tally.hear(cluster, transition, graph);
    return transition.status === 'running' ? this.run(cluster, transition, graph) : this.windDown(cluster, transition, graph);
  }

  private async run(cluster: ClusterAtTurn, transition: TransitionState, graph: TransitionGraph): Promise<Progress> {
    const { clusterId, state, now } = cluster;
    const { engine, news, compared } = await this.engineOf(cluster, transition, graph);
    const effects = [...news.flatMap((input) => engine.step(input)), ...engine.step({ type: 'tick', now })];
    const decided = await this.settle(cluster, effects, engine);
    if (decided) return decided;

    const handOuts = effects.filter((effect): effect is Effect<'dispatch'> => effect.type === 'dispatch');
    if (!(await this.handOut(cluster, transition, handOuts))) return MOVED;
    const keptUntil = this.engines.keep(clusterId, { state, transition, engine });
    const begun = new Set(effects.flatMap((effect) => (effect.type === 'perform' ? [effect.action.id] : [])));
    const progress = await this.performAll(cluster, transition, engine, ({ id }) => compared || begun.has(id));
    if (progress.type === 'moved') return progress;
    return restingUntil(progress.wakeAt, nextExpiry(engine.nextExpiry, now), keptUntil === undefined ? undefined : now + keptUntil);
  }

  /**
   * The engine of the turn before with what was reported since, where that is the one that would be made from the tables; otherwise one that is. `compared`: what it has handed out was found in the
   * tables just now.
   */
  private async engineOf(cluster: ClusterAtTurn, transition: TransitionState, graph: TransitionGraph): Promise<EngineAtTurn> {
    const kept = await this.keptEngine(cluster, transition, graph);
    if (kept !== undefined) return kept;
    const { clusterId } = cluster;
    const isNew = this.graphs.isNew(clusterId, transition);
    const rows = isNew ? [] : await this.dispatches.ofTransition(clusterId, transition.number);
    return { engine: resume(cluster, transition, graph, rows), news: [], compared: true };
  }

  private async keptEngine(cluster: ClusterAtTurn, transition: TransitionState, graph: TransitionGraph): Promise<EngineAtTurn | undefined> {
    const { clusterId, state, now } = cluster;
    const limits = engineLimits(graph, state);
    const kept = this.engines.take(clusterId, { state, transition, graph, limits, now });
    if (kept === undefined) return undefined;
    if (!kept.toCompare) return { ...kept, compared: false };
    const epoch = epochOf(state, clusterId);
    const actionIds = kept.engine.handedOut.map((id) => actionIdOf(epoch, transition.number, id));
    const stands = (await this.dispatches.ofActions(clusterId, actionIds)).length === actionIds.length;
    this.engines.compared(clusterId, stands, now);
    return stands ? { ...kept, compared: true } : undefined;
  }

  /**
   * Hands out nothing more but tidings of what has happened, and probes as long as the transition goes on with them; takes back what no agent has seen of the rest; waits for what is
   * under way; ends the transition.
   */
  private async windDown(cluster: ClusterAtTurn, transition: TransitionState, graph: TransitionGraph): Promise<Progress> {
    const probing = transition.probingSince !== undefined;
    const withdrawn = await this.dispatches.withdrawUndelivered(cluster.clusterId, transition.number, { probing });
    // An engine that was kept does not know what was taken back.
    if (withdrawn.length > 0) this.engines.forget(cluster.clusterId);
    const takenBack = withdrawn.filter(({ kind }) => kind === 'operation' || kind === 'cancel').length;
    if (takenBack > 0) this.figures.takenBack(takenBack);
    const isFencing = Object.values(cluster.state.fencing).some((attempt) => attempt.transition === transition.number);
    const kept = isFencing ? undefined : await this.keptEngine(cluster, transition, graph);
    if (kept !== undefined) return this.endSoon(cluster, transition, kept);
    const rows = await this.dispatches.ofTransition(cluster.clusterId, transition.number);
    const lost = lostDispatches(cluster, transition, graph, rows);
    if (lost.length > 0) {
      cluster.assertHeld();
      await this.dispatches.restore(cluster.clusterId, transition.number, cluster.state.version, lost);
      return MOVED;
    }
    const fencing = await this.fencing.windDown(cluster, transition.number, rows, withdrawn);
    if (fencing?.type === 'moved') return fencing;
    return this.endSoon(cluster, transition, { engine: resume(cluster, transition, graph, rows), news: [] }, fencing);
  }

  /** @param fencing what is known of the fencing that is under way, if any is */
  private async endSoon(
    cluster: ClusterAtTurn,
    transition: TransitionState,
    { engine, news }: Pick<EngineAtTurn, 'engine' | 'news'>,
    fencing?: Extract<Progress, { readonly type: 'resting' }>,
  ): Promise<Progress> {
    const { clusterId, state, now } = cluster;
    const effects = [...news.flatMap((input) => engine.step(input)), ...engine.step({ type: 'tick', now })];
    // A fence device at work may still take its target down: the next plan has to know how that ended.
    const decided = await this.settle(cluster, fencing ? effects.filter(({ type }) => type !== 'finished') : effects, engine);
    if (decided) return decided;
    const probingFor = this.probingFor(cluster, transition, engine);
    if (probingFor?.inMs === 0) {
      return this.decisions.decide(cluster, { type: 'abort-transition', number: transition.number, reason: probingFor.reason });
    }
    const tidings = effects.filter((effect): effect is Effect<'dispatch'> => effect.type === 'dispatch');
    if (!(await this.handOut(cluster, transition, tidings))) return MOVED;
    // Those for nodes that are gone count as unanswered from the next look on.
    if (tidings.some(({ node }) => memberOf(state, node)?.membership !== 'joined')) return MOVED;
    // While fencing is under way the next look makes one anew in any case.
    const keptFor = fencing === undefined ? this.engines.keep(clusterId, { state, transition, engine }) : undefined;
    const looks = [keptFor, probingFor?.inMs].map((inMs) => (inMs === undefined ? undefined : now + inMs));
    return restingUntil(fencing?.wakeAt, nextExpiry(engine.nextExpiry, now), ...looks);
  }

  /** In how many ms a transition does not go on with its probes any longer, and why; undefined when it does not in any case. */
  private probingFor(
    cluster: ClusterAtTurn,
    { number, probingSince }: TransitionState,
    engine: Engine,
  ): { readonly inMs: number; readonly reason: string } | undefined {
    if (probingSince === undefined) return undefined;
    const due = fencingHeldIn(engine).find(({ id, event }) =>
      this.fencing.isDue(cluster, { ...event, transition: number, graphActionId: id }),
    );
    if (due !== undefined) return { inMs: 0, reason: `${due.event.target} is to be fenced` };
    const leftMs = PROBING_MS - cluster.elapsed('probing', Date.parse(probingSince));
    return { inMs: Math.max(0, leftMs), reason: 'what was found waits for the other probes no longer' };
  }

  /** Effects that are decisions about the transition as a whole, the most important one first. Undefined when there are none. */
  private async settle(
    cluster: ClusterAtTurn,
    effects: readonly EngineEffect[],
    { unanswered }: Pick<Engine, 'unanswered'>,
  ): Promise<Progress | undefined> {
    const overdue = effects.filter((effect): effect is Effect<'record-timeout'> => effect.type === 'record-timeout');
    if (overdue.length > 0) return this.recordUnanswered(cluster, overdue);
    const finished = effects.find((effect): effect is Effect<'finished'> => effect.type === 'finished');
    if (finished) return this.complete(cluster, finished, unanswered);
    const aborted = effects.find((effect): effect is Effect<'aborted'> => effect.type === 'aborted');
    const number = cluster.state.transition?.number;
    if (aborted && number !== undefined) {
      return this.decisions.decide(cluster, { type: 'abort-transition', number, reason: aborted.reason });
    }
    return undefined;
  }

  /** @param unanswered actions that nobody answers any more, as their node was lost */
  private async complete(
    cluster: ClusterAtTurn,
    { outcome, completed, skipped, failed }: Effect<'finished'>,
    unanswered: number,
  ): Promise<Progress> {
    const number = cluster.state.transition?.number ?? cluster.state.lastTransitionNumber;
    const decision = await this.decisions.append(cluster, {
      type: 'complete-transition',
      result: { number, outcome, completed, skipped, failed },
    });
    if (decision.type === 'appended') {
      this.figures.transitionEnded(outcome, this.tally.movedForMs(cluster.clusterId, number));
      if (unanswered > 0) this.figures.gaveUp(unanswered);
    }
    await this.dispatches.forget(cluster.clusterId, number - 1);
    return progressOf(decision);
  }

  private async handOut(cluster: ClusterAtTurn, transition: TransitionState, handOuts: readonly Effect<'dispatch'>[]): Promise<boolean> {
    if (handOuts.length === 0) return true;
    const traits = await this.traits.of(cluster.clusterId);
    cluster.assertHeld();
    const dispatches = handOuts.map(({ action, node }): NewDispatch => ({
      graphActionId: action.id,
      node,
      action: toAgentAction(action, { ...contextOf(cluster, transition.number), traits }),
    }));
    for (const { action } of dispatches) cluster.sinceSeen(transition.number, action.actionId);
    const stands = await this.standing.handOut(cluster, transition.number, dispatches);
    if (stands) this.figures.handedOut(dispatches.length);
    return stands;
  }

  private async recordUnanswered(cluster: ClusterAtTurn, overdue: readonly Effect<'record-timeout'>[]): Promise<Progress> {
    const transition = cluster.state.transition?.number ?? cluster.state.lastTransitionNumber;
    const decision = await this.decisions.append(cluster, {
      type: 'record-unanswered',
      actions: overdue.map(({ action, node, at }) => {
        const asked = toAgentAction(action, contextOf(cluster, transition));
        return unansweredAction(asked, { node, at, execMs: asked.timeoutMs });
      }),
    });
    if (decision.type === 'appended') this.tally.gaveUp(cluster.clusterId, recordedIn(decision.events));
    return progressOf(decision);
  }

  /** Says of all operations of connections that are under way how they ended, as far as that can be said; the others are waited for until their time-outs. */
  private async connect(cluster: ClusterAtTurn, transition: number, performing: Engine['performing']): Promise<Progress> {
    const connections = performing.flatMap(({ action, event }) => (event.type === 'connection' ? [action] : []));
    if (connections.length === 0) return restingUntil();
    const { clusterId, state, now, overdue } = cluster;
    const context = { ...contextOf(cluster, transition), traits: await this.traits.of(clusterId) };
    const ended: ConnectionOutcome[] = [];
    const wakeAt: number[] = [];
    for (const action of connections) {
      const asked = toAgentAction(action, context);
      const waitedMs = cluster.sinceSeen(transition, asked.actionId);
      const late = waitedMs >= asked.timeoutMs ? connectionTimedOut(action) : undefined;
      const answer = connectionAnswer(state, action, (node) => overdue.has(node)) ?? late;
      if (answer === undefined) wakeAt.push(now + asked.timeoutMs - waitedMs);
      else
        ended.push({ ...unansweredAction(asked, { node: executingNode(action) ?? '', at: now, execMs: Math.round(waitedMs) }), ...answer });
    }
    if (ended.length === 0) return restingUntil(...wakeAt);
    return this.decisions.decide(cluster, { type: 'record-connections', actions: ended });
  }

  /**
   * Carries out the cluster events and the operations of connections that are under way. All may be repeated: those that leave an event are not asked for again, the others are idempotent. What only leaves events goes together, in
   * few appends.
   *
   * @param toGrant whether the shutdown that an action allows may not be granted yet
   */
  private async performAll(
    cluster: ClusterAtTurn,
    { number }: TransitionState,
    engine: Engine,
    toGrant: (action: GraphAction) => boolean,
  ): Promise<Progress> {
    const { performing } = engine;
    const cleared = await allOf(
      performing.flatMap(({ action, event }) => this.clear(cluster, { transition: number, id: action.id }, event)),
    );
    if (cleared.some(({ type }) => type === 'moved')) return MOVED;
    const connected = await this.connect(cluster, number, performing);
    if (connected.type === 'moved') return connected;
    const wakeAt: (number | undefined)[] = [connected.wakeAt];
    for (const { action, event } of performing) {
      const progress = await this.performAlone(cluster, { transition: number, id: action.id }, event, toGrant(action));
      if (progress.type === 'moved') return progress;
      wakeAt.push(progress.wakeAt);
    }
    return restingUntil(...wakeAt);
  }

  /** What only leaves an event. */
  private clear(cluster: ClusterAtTurn, graphAction: GraphActionOf, event: CrmEvent): readonly Promise<Progress>[] {
    switch (event.type) {
      case 'clear-failcount':
        return [this.decisions.decide(cluster, { ...event, type: 'clear-failures', graphAction })];
      case 'lrm-delete':
        return [this.decisions.decide(cluster, { type: 'delete-history', resource: event.resource, node: event.node, graphAction })];
      case 'shutdown':
      case 'fence':
      case 'connection':
        return [];
    }
  }

  private async performAlone(cluster: ClusterAtTurn, of: GraphActionOf, event: CrmEvent, toGrant: boolean): Promise<Progress> {
    if (event.type === 'fence') return this.fencing.turn(cluster, { ...event, transition: of.transition, graphActionId: of.id });
    if (event.type === 'shutdown' && toGrant) return this.grantShutdown(cluster, of, event.node);
    return restingUntil();
  }

  /** Done when NodeLeft is recorded; until then it may be granted again. */
  private async grantShutdown(cluster: ClusterAtTurn, of: GraphActionOf, node: string): Promise<Progress> {
    const grant = { actionId: actionIdOf(epochOf(cluster.state, cluster.clusterId), of.transition, of.id), kind: 'shutdown' } as const;
    const stands = await this.standing.handOut(cluster, of.transition, [{ graphActionId: of.id, node, action: grant }]);
    return stands ? restingUntil() : MOVED;
  }
}

/** Graph action ids of the operations that are recorded. */
function recordedIn(events: readonly ClusterEvent[]): readonly number[] {
  return events.flatMap((event) => {
    const key = event.type === 'OperationRecorded' ? parseTransitionKey(event.data.transitionKey) : undefined;
    return key === undefined ? [] : [key.graphActionId];
  });
}

/** The fencing of a transition that has not begun, though it waits for nothing. */
function fencingHeldIn(engine: Engine): readonly { readonly id: number; readonly event: Extract<CrmEvent, { readonly type: 'fence' }> }[] {
  const { synapses } = engine.graph;
  if (!synapses.some(({ action }) => isFencing(action))) return [];
  return engine.standing().held.flatMap((position) => {
    const action = synapses[position]?.action;
    const event = action !== undefined && isFencing(action) ? crmEventOf(action) : undefined;
    return action !== undefined && event?.type === 'fence' ? [{ id: action.id, event }] : [];
  });
}

function isFencing({ kind, operation }: GraphAction): boolean {
  return kind === 'crm_event' && operation === 'stonith';
}

/** What all come to, once all have ended: none is left under way when one fails. @throws what the first of them threw */
async function allOf<Outcome>(steps: readonly Promise<Outcome>[]): Promise<readonly Outcome[]> {
  await Promise.allSettled(steps);
  return Promise.all(steps);
}

function contextOf({ clusterId, state }: ClusterAtTurn, transition: number): ActionContext {
  return { epoch: epochOf(state, clusterId), transition, cib: state.cib, now: planTime(state) };
}

/**
 * What has to be written again as the table of dispatches was emptied: results prove it whose actions have no rows. Then any action whose inputs are done may be under
 * way as well, and a plan that did not wait for it could start elsewhere what is being started. (A transition that still runs hands it out once more,
 * and the agent's journal knows it.)
 */
function lostDispatches(
  cluster: ClusterAtTurn,
  transition: TransitionState,
  graph: TransitionGraph,
  rows: readonly DispatchRow[],
): readonly LostDispatch[] {
  const there = new Set(rows.map(({ graphActionId }) => graphActionId));
  const gone = graph.synapses
    .map(({ action }) => action)
    .filter((action) => action.kind === 'rsc_op' && !there.has(action.id) && !isConnectionAction(action));
  const answered = new Set(gone.filter((action) => resultOf(transition, action) !== undefined).map(({ id }) => id));
  if (answered.size === 0) return [];
  const ready = new Set(
    resume(cluster, transition, graph, rows)
      .standing()
      .held.map((position) => graph.synapses[position]?.action.id),
  );
  return gone.flatMap((action): readonly LostDispatch[] => {
    const node = executingNode(action) ?? '';
    const member = memberOf(cluster.state, node);
    const completed = answered.has(action.id);
    const mayBeUnderWay =
      ready.has(action.id) && !outlastsAbortInGraph(action, transition.probingSince !== undefined) && member?.membership === 'joined';
    if (!completed && !mayBeUnderWay) return [];
    const agentAction = toAgentAction(action, contextOf(cluster, transition.number));
    return [{ graphActionId: action.id, node, action: agentAction, incarnation: member?.incarnation ?? 0, completed }];
  });
}

/**
 * An action's time runs from when this worker first saw that it was handed out: whatever clock dated the row may have stepped since. It runs as long as its agent
 * can report: what it has done while no server was there it says first.
 */
function resume(
  { state, now, sinceSeen }: ClusterAtTurn,
  transition: TransitionState,
  graph: TransitionGraph,
  rows: readonly DispatchRow[],
): Engine {
  return resumeEngine(
    graph,
    engineLimits(graph, state),
    { ...state, transition },
    rows.map(({ actionId, graphActionId, incarnation }) => ({
      graphActionId,
      dispatchedAt: now - sinceSeen(transition.number, actionId),
      ...(incarnation === undefined ? {} : { incarnation }),
    })),
  );
}

/** Epoch ms of the next look at those whom the server gives up on at a moment: that agents could report is known a little later than it is so. */
function nextExpiry(expiresAt: number | undefined, now: number): number | undefined {
  return expiresAt === undefined ? undefined : Math.max(now + LOOK_MS, expiresAt);
}
