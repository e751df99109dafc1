import type { ClusterState } from '../state/cluster-state.js';
import { parseTransitionKey } from '../state/history.js';
import { isOfRunning } from '../state/present-life.js';
import type { Received, ReportedResult } from './agent-command.js';

/**
 * When an operation began, epoch seconds, by the clock that plans are made by: a failure that is dated by another one is over before anybody has acted, or lasts for longer than it may (`failure-timeout`,
 * specification 03 §7.4). By how old its result was when it was told, else by the node's clock; in any case not before its action was planned or handed out, nor after the result was told.
 */
export function beganAt(result: ReportedResult, received: Received | undefined, state: ClusterState): number {
  const { actionId, endedAgoMs, execMs, startedAt, transitionKey } = result;
  if (received === undefined) return startedAt;
  const { at, handedOutAt } = received;
  const said = endedAgoMs === undefined ? startedAt * 1_000 : at - endedAgoMs - execMs;
  const plannedAt = isOfRunning(state, parseTransitionKey(transitionKey)) ? (state.transition?.now ?? 0) * 1_000 : 0;
  const earliest = handedOutAt.get(actionId) ?? plannedAt;
  // The clock may have gone back since: then nothing is known but that it is over by now.
  return Math.floor(Math.min(at, Math.max(earliest, said)) / 1_000);
}
