import type { HistoryDeleted, OperationRecorded } from '../../events/cluster-event.js';
import { fencingDevices } from '../../fencing/device.js';
import { hasLookedTooEarly, withArrivals, withLateArrival } from '../../lease/arriving.js';
import { memberOf, type ClusterState } from '../cluster-state.js';
import { mayRunOn } from '../../remote/may-run-on.js';
import { isClusterMember } from '../../remote/remote-nodes.js';
import { clearFailCounts, countFailure } from '../fail-counts.js';
import { deleteHistory, forgetLastFailure, isExpected, parseTransitionKey, recordOperation } from '../history.js';
import { editNode, withMember } from '../members.js';
import { withRecentResult } from '../recent-results.js';
import { isOfEpoch, isOfRunning, standingOf } from '../present-life.js';
import { SERVER } from '../transition-results.js';
import { withDebuggingKnown } from './debug-events.js';
import { withAllFencingForgiven } from './fencing-forgiven.js';
import type { Folds } from './folds.js';
import { DONE, withResult } from './graph-results.js';

/** What came of operations, and that it is forgotten. */
export const historyEvents: Folds<'OperationRecorded' | 'FailuresCleared' | 'HistoryDeleted'> = {
  OperationRecorded: (state, data, { occurredAt }) => operationRecorded(state, data, Date.parse(occurredAt)),
  FailuresCleared: (state, data, { occurredAt }) => {
    const { resource, node, graphAction } = data;
    const next = editNode(state, node, (nodeState) => forgetLastFailure(clearFailCounts(nodeState, resource, data), resource, data));
    if (graphAction !== undefined) return withResult(next, graphAction.transition, graphAction.id, SERVER, DONE);
    return fencingDevices(state.cib, Date.parse(occurredAt)).some(({ id }) => id === resource) ? withAllFencingForgiven(next) : next;
  },
  HistoryDeleted: (state, data) => {
    const { resource, node, graphAction } = data;
    const forgotten = withUnprobed(state, data);
    const next = editNode(forgotten, node, (nodeState) => deleteHistory(nodeState, resource, data));
    return graphAction === undefined ? next : withResult(next, graphAction.transition, graphAction.id, SERVER, DONE);
  },
};

function operationRecorded(state: ClusterState, data: OperationRecorded['data'], now: number): ClusterState {
  const key = parseTransitionKey(data.transitionKey);
  const ok = isExpected(data, key?.expectedRc ?? 0);
  let next = withRecentResult(state, data.node, data.resultId);
  const isOfCurrent = standingOf(state, data) === 'current';
  const saysNothing = isOfCurrent && isOfEpoch(state, key) && key !== undefined && hasLookedTooEarly(state, data, key.transition);
  if (isOfCurrent && !saysNothing) {
    next = editNode(next, data.node, (nodeState, id) => {
      const written = recordOperation(nodeState, data, ok);
      return ok ? written : countFailure(state.cib, written, id, data, now);
    });
    next = withArrivals(withDebuggingKnown(next, data.node, data.resource), data, ok);
  } else if (!isOfCurrent) next = withLateArrival(next, data, ok);
  if (!isOfRunning(state, key)) return next;
  return withResult(next, key.transition, key.graphActionId, data.node, { status: data.status, rc: data.rc, ok });
}

/**
 * Forgetting what a remote or guest node may run does not end it. While its connection is down nobody probes it, and nothing else would keep it from being started elsewhere.
 */
function withUnprobed(state: ClusterState, { resource, node, operation }: HistoryDeleted['data']): ClusterState {
  const member = memberOf(state, node);
  if (member === undefined || isClusterMember(member) || operation !== undefined || !mayRunOn(state, node).includes(resource)) return state;
  return withMember(state, node, { unprobed: [...new Set([...(member.unprobed ?? []), resource])] });
}
