import type { GraphAction, TransitionGraph } from '@systole/scheduler';
import { memberOf, type ClusterState, type TransitionState } from '../state/cluster-state.js';
import { fencingStep } from '../fencing/fencing-step.js';
import { resultOf } from './action-result.js';
import { crmEventOf, Engine } from './engine.js';
import type { ActionProgress, EngineLimits, Flight } from './engine-types.js';
import { confirmedBy, executingNode, graphIndex, isMigration, startDelayMsOf, timeoutMsOf, withoutInputs } from './graph-index.js';

/** A dispatch row of the transition: proof that an action was handed out. */
export interface DispatchedAction {
  readonly graphActionId: number;
  /** Epoch ms at which the row was made; the action's time runs from there. */
  readonly dispatchedAt: number;
  /** The node's incarnation to which it was delivered, if it was; a later one knows nothing of it. */
  readonly incarnation?: number;
}

/**
 * Rebuilds the engine of the running transition from what is stored: the stream (its fold) and the dispatch rows. The same input gives
 * the same engine, and, after `tick`, it is the engine that an uninterrupted run would have.
 *
 * - An action with a result (`resultOf`) is done or failed.
 * - One with a dispatch row and no result is in flight; unanswered, when its node is no longer joined or has joined anew since.
 * - A pseudo event is done when its inputs are.
 * - A cluster event is done when the state shows it (the target of fencing is down, the node that was to shut down has left); else it is to be performed
 *   (again: all of them may be repeated). In an aborting transition only fencing with a pending attempt is in flight.
 * - So is an operation of a connection: as nothing happens before its result is recorded, an aborting transition has none in flight.
 *
 * `dispatches` are the rows of this transition, without those of fence attempts. Send `tick` next.
 */
export function resumeEngine(
  graph: TransitionGraph,
  limits: EngineLimits,
  state: RunningState,
  dispatches: readonly DispatchedAction[],
): Engine {
  const { inputCounts } = graphIndex(graph);
  const { transition } = state;
  const progress: ActionProgress[] = graph.synapses.map(() => 'waiting');
  const missing = inputCounts.slice();
  const inFlight: Record<string, Flight> = {};
  const rows = new Map(dispatches.map((row) => [row.graphActionId, row]));
  const ready = withoutInputs(inputCounts);
  const held: number[] = [];

  for (let position = ready.pop(); position !== undefined; position = ready.pop()) {
    const action = graph.synapses[position]?.action;
    if (action === undefined) continue;
    const result = resultOf(transition, action);
    const row = rows.get(action.id);
    if (action.kind === 'pseudo_event') progress[position] = 'done';
    else if (result !== undefined) progress[position] = result.ok ? 'done' : 'failed';
    else if (action.kind === 'crm_event') {
      const standing = standingOf(state, action);
      if (standing === 'done') progress[position] = 'done';
      else if (standing === 'begun') {
        progress[position] = 'in-flight';
        inFlight[String(action.id)] = { migration: false };
      } else held.push(position);
    } else if (row === undefined) held.push(position);
    else {
      const node = executingNode(action) ?? '';
      const member = memberOf(state, node);
      if (member?.membership === 'joined' && (row.incarnation ?? member.incarnation) === member.incarnation) {
        progress[position] = 'in-flight';
        const expiresAt = row.dispatchedAt + timeoutMsOf(action) + startDelayMsOf(action) + limits.networkAllowanceMs;
        inFlight[String(action.id)] = { node, migration: isMigration(action), expiresAt };
      } else progress[position] = 'unanswered';
    }
    for (const dependent of confirmedBy(graph, position, progress[position])) {
      const rest = (missing[dependent] ?? 0) - 1;
      missing[dependent] = rest;
      if (rest === 0) ready.push(dependent);
    }
  }
  return new Engine(graph, limits, {
    status: transition.status,
    probing: transition.probingSince !== undefined,
    progress,
    missingInputs: missing,
    held,
    inFlight,
    ...(transition.abortReason === undefined ? {} : { abortReason: transition.abortReason }),
  });
}

/** A state with a transition. */
export type RunningState = ClusterState & { readonly transition: TransitionState };

export function isRunning(state: ClusterState): state is RunningState {
  return state.transition !== undefined;
}

/** Whether the state shows that a cluster event was carried out. */
export function isPerformed(state: RunningState, action: GraphAction): boolean {
  return standingOf(state, action) === 'done';
}

/** How far the performing of a cluster event has come, as far as the state shows. */
function standingOf(state: RunningState, action: GraphAction): 'open' | 'begun' | 'done' {
  const event = crmEventOf(action);
  switch (event.type) {
    case 'shutdown': {
      const membership = memberOf(state, event.node)?.membership;
      return membership === 'left' || membership === 'down' ? 'done' : 'open';
    }
    case 'fence': {
      const operation = { transition: state.transition.number, graphActionId: action.id, target: event.target, action: event.action };
      const next = fencingStep(state, operation);
      if (next.type === 'finished') return next.ok ? 'done' : 'open';
      return next.type === 'wait' && state.transition.status === 'aborting' ? 'begun' : 'open';
    }
    case 'clear-failcount':
    case 'lrm-delete':
    case 'connection':
      return 'open';
  }
}
