import type { DebugOperationEnded, DebugOperationRequested } from '../../events/cluster-event.js';
import { memberOf, type ClusterState, type NodeMember, type PendingDebug } from '../cluster-state.js';
import { withRecentResult } from '../recent-results.js';
import { isPresentLife } from '../present-life.js';
import type { Folds } from './folds.js';

/** That a person has an operation tried, and what came of it. Neither says anything about where the resource runs: that is probed. */
export const debugEvents: Folds<'DebugOperationRequested' | 'DebugOperationEnded'> = {
  DebugOperationRequested: (state, data, { occurredAt, correlationId }) =>
    requested(state, data, { requestedAt: occurredAt, correlationId }),
  DebugOperationEnded: (state, data) => withRecentResult(ended(state, data), data.node, data.resultId),
};

function requested(
  state: ClusterState,
  data: DebugOperationRequested['data'],
  request: Pick<PendingDebug, 'requestedAt' | 'correlationId'>,
): ClusterState {
  if (!isPresentLife(state, data)) return state;
  const others = memberOf(state, data.node)?.debugging?.filter(({ resource }) => resource !== data.resource) ?? [];
  return withDebugging(state, data.node, [...others, { ...data, ...request }]);
}

function ended(state: ClusterState, { node, debugId, status }: DebugOperationEnded['data']): ClusterState {
  return withDebuggingChanged(state, node, (pending) => {
    if (pending.debugId !== debugId) return pending;
    return status !== undefined && mayHaveActivated(pending) ? { ...pending, ended: true } : undefined;
  });
}

function mayHaveActivated({ operation }: PendingDebug): boolean {
  return operation === 'start' || operation === 'promote';
}

/** The state when a node has said how a resource is there: what was tried of it before that, and has ended, is known by that. */
export function withDebuggingKnown(state: ClusterState, node: string, resource: string): ClusterState {
  return withDebuggingChanged(state, node, (pending) => (pending.ended === true && pending.resource === resource ? undefined : pending));
}

/** @param change undefined: there is nothing of it any more */
function withDebuggingChanged(
  state: ClusterState,
  node: string,
  change: (pending: PendingDebug) => PendingDebug | undefined,
): ClusterState {
  const debugging = memberOf(state, node)?.debugging;
  if (debugging === undefined) return state;
  return withDebugging(
    state,
    node,
    debugging.flatMap((pending) => change(pending) ?? []),
  );
}

function withDebugging(state: ClusterState, node: string, debugging: readonly PendingDebug[]): ClusterState {
  const member = memberOf(state, node);
  if (member === undefined) return state;
  const next = debugging.length === 0 ? withNothingTried(member) : { ...member, debugging };
  return { ...state, nodes: { ...state.nodes, [node]: next } };
}

/** The member of which nobody has anything tried any more. */
export function withNothingTried({ debugging: _, ...member }: NodeMember): NodeMember {
  return member;
}
