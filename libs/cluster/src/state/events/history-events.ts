import type { OperationRecorded } from '../../events/cluster-event.js';
import type { ClusterState } from '../cluster-state.js';
import { countFailure } from '../fail-counts.js';
import { isExpected, parseTransitionKey, recordOperation } from '../history.js';
import { editNode } from '../members.js';
import { withRecentResult } from '../recent-results.js';
import { isOfRunning, standingOf } from '../relevance.js';
import { withResult } from './graph-results.js';

export function operationRecorded(state: ClusterState, data: OperationRecorded['data'], now: number): ClusterState {
  const key = parseTransitionKey(data.transitionKey);
  const ok = isExpected(data, key?.expectedRc ?? 0);
  let next = withRecentResult(state, data.node, data.resultId);
  if (standingOf(state, data) === 'current') {
    next = editNode(next, data.node, (nodeState, id) => {
      const written = recordOperation(nodeState, data, ok);
      return ok ? written : countFailure(state.cib, written, id, data, now);
    });
  }
  if (!isOfRunning(state, key)) return next;
  return withResult(next, key.transition, key.graphActionId, data.node, { status: data.status, rc: data.rc, ok });
}
