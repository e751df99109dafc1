import { childrenNamed } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { historyOf, parseTransitionKey } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { isOfRunning } from '../state/present-life.js';
import type { Received, ReportedResult } from './agent-command.js';

/**
 * When an operation began, epoch seconds, by the clock that plans are made by: a failure that is dated by another one is over before anybody has acted, or lasts for longer than it may (`failure-timeout`,
 * specification 03 §7.4). By how old its result was when it was told, else by the node's clock; in any case not before its action was planned or handed out, nor after the result was told; but never before what the log
 * holds of the resource (`notBeforeOthers`).
 */
export function beganAt(result: ReportedResult, received: Received | undefined, state: ClusterState): number {
  const { actionId, endedAgoMs, execMs, resource, startedAt, transitionKey } = result;
  if (received === undefined) return startedAt;
  const { at, handedOutAt } = received;
  const said = endedAgoMs === undefined ? startedAt * 1_000 : at - endedAgoMs - execMs;
  const plannedAt = isOfRunning(state, parseTransitionKey(transitionKey)) ? (state.transition?.now ?? 0) * 1_000 : 0;
  const earliest = handedOutAt.get(actionId) ?? plannedAt;
  // The clock may have gone back since: then nothing is known but that it is over by now.
  return notBeforeOthers(state, resource.historyId, Math.floor(Math.min(at, Math.max(earliest, said)) / 1_000));
}

/**
 * A date of what comes after all that the log holds of a resource, on whatever node. What two nodes say of it is ordered by dates alone (specification 03 §7.3): where the clock went back, the stop of before would count as newer
 * than what was migrated there since.
 *
 * @param date epoch seconds
 */
export function notBeforeOthers(state: ClusterState, historyId: string, date: number): number {
  let newest = date;
  for (const member of Object.values(state.nodes)) {
    const history = historyOf(nodeStateOf(state.cib, member), historyId);
    if (history === undefined) continue;
    for (const { attributes } of childrenNamed(history, 'lrm_rsc_op')) {
      const changed = Number(attributes['last-rc-change'] ?? 0);
      if (changed > newest) newest = changed;
    }
  }
  return newest;
}
