import type { FencingCompleted, FencingRequested } from '../../events/cluster-event.js';
import { countedFailures } from '../../fencing/failures.js';
import { isRequested } from '../../fencing/fencing-limit.js';
import { fencingsUntil } from '../../fencing/repeated-fencing.js';
import { type ClusterState, memberOf, pendingFencing } from '../cluster-state.js';
import { editNode } from '../members.js';
import { setTransientAttribute } from '../node-state.js';
import { withRecentResult } from '../recent-results.js';
import { hasFenced, isConfirmed, isOutcomeOf } from '../present-life.js';
import { SERVER } from '../transition-results.js';
import { down } from './ended.js';
import { withFencingForgiven } from './fencing-forgiven.js';
import type { Folds } from './folds.js';
import { DONE, FAILED, withResult } from './graph-results.js';

/** That nodes are to be fenced, may be, and what came of it. */
export const fencingEvents: Folds<'FencingRequested' | 'FencingAllowed' | 'FencingHistoryCleared' | 'FencingCompleted'> = {
  FencingRequested: (state, data, { occurredAt }) => fencingRequested(state, data, occurredAt),
  FencingAllowed: (state, { node }) => ({ ...state, fencingAllowed: [...state.fencingAllowed.filter((name) => name !== node), node] }),
  FencingHistoryCleared: (state) => state,
  FencingCompleted: (state, data, { occurredAt }) => fencingCompleted(state, data, occurredAt),
};

function fencingRequested(state: ClusterState, data: FencingRequested['data'], occurredAt: string): ClusterState {
  const { incarnation: targetIncarnation = 0, bootVersion } = memberOf(state, data.target) ?? {};
  const executorIncarnation = memberOf(state, data.executor)?.incarnation ?? 0;
  const targeted = { targetIncarnation, ...(bootVersion === undefined ? {} : { targetBootVersion: bootVersion }) };
  const pending = { ...data, ...targeted, executorIncarnation };
  const next = { ...state, fencing: { ...state.fencing, [data.fencingId]: pending } };
  const counts = (data.wanted ?? data.action) !== 'on' && !isRequested(state, data.target, Date.parse(occurredAt));
  return counts ? { ...next, fencedAt: { ...state.fencedAt, [data.target]: occurredAt } } : next;
}

function fencingCompleted(state: ClusterState, data: FencingCompleted['data'], occurredAt: string): ClusterState {
  const request = pendingFencing(state, data.fencingId);
  let next = withRecentResult(state, data.executor, data.resultId);
  if (request === undefined || !isOutcomeOf(request, data)) return next;
  const fencing = Object.fromEntries(Object.entries(state.fencing).filter(([id]) => id !== data.fencingId));
  next = { ...next, fencing };
  if (next.transition?.number === request.transition) {
    const outcome = { graphActionId: request.graphActionId, attempt: request.attempt, result: data };
    next = { ...next, transition: { ...next.transition, fencing: [...next.transition.fencing, outcome] } };
  }
  if (isConfirmed(data)) {
    if (hasFenced(state, data)) {
      const unfenced = (request.wanted ?? request.action) === 'on';
      next = unfenced
        ? withUnfencing(next, request, occurredAt)
        : withFencingNoted(down(next, data.target, occurredAt), state, data.target, occurredAt);
    }
    return withResult(withFencingForgiven(next, data.target), request.transition, request.graphActionId, SERVER, DONE);
  }
  if (data.exhausted !== true) return next;
  const failure = { count: countedFailures(next, data.target) + 1, at: occurredAt, last: data };
  const failures = { ...next.fencingFailures, [data.target]: failure };
  return withResult({ ...next, fencingFailures: failures }, request.transition, request.graphActionId, SERVER, FAILED);
}

/** @param before the fencing: it takes away the attribute by which a person asked for it */
function withFencingNoted(state: ClusterState, before: ClusterState, target: string, at: string): ClusterState {
  if (isRequested(before, target, Date.parse(at))) return state;
  return { ...state, fencings: { ...state.fencings, [target]: fencingsUntil(state, target, at) } };
}

/** A node that was unfenced says so in its attributes (specification 03 §12.6, 07 §9.8). */
function withUnfencing(state: ClusterState, { target, digests }: FencingRequested['data'], occurredAt: string): ClusterState {
  return editNode(state, target, (nodeState, id) => {
    const at = String(Math.floor(Date.parse(occurredAt) / 1000));
    const unfenced = setTransientAttribute(nodeState, id, '#node-unfenced', at);
    if (digests === undefined) return unfenced;
    return setTransientAttribute(setTransientAttribute(unfenced, id, '#digests-all', digests.all), id, '#digests-secure', digests.secure);
  });
}
