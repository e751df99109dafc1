import type { OperationRecorded } from '../events/cluster-event.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { withLeftRunning } from './left-running.js';

/**
 * A live migration brings a resource to a node whose agent has not begun anything of it: where that is lost before its `migrate_from`, or leaves, it stops what it knows, and leaves that running. It counts as left
 * running there (`leftRunning`) then. What came first is told by the log, not by the clocks of two machines.
 *
 * @param ok the operation ended as expected
 */
export function withArrivals(
  state: ClusterState,
  { node, resource, operation, status, migrateTarget }: OperationRecorded['data'],
  ok: boolean,
): ClusterState {
  const known = withMemberAs(state, node, (member) => withArrived(member, resource));
  // One that failed has its resource where it was, says its agent; of one that was cut short nobody knows.
  const isThere = operation === 'migrate_to' && (ok || status !== 'done');
  if (!isThere || migrateTarget === undefined || migrateTarget === node) return known;
  return withMemberAs(known, migrateTarget, (member) => {
    const arriving = { ...member, arriving: [...new Set([...(member.arriving ?? []), resource])] };
    return member.membership === 'joined' ? arriving : withLeftRunning(arriving, [resource]);
  });
}

/** History ids of what may have arrived on a node that has said nothing of it since. */
export function arrivingOn(state: ClusterState, node: string): readonly string[] {
  return memberOf(state, node)?.arriving ?? [];
}

/** What a boot that joins again has not looked for yet; nothing of another boot. */
export function arrivingAtJoin({ arriving, bootId: before }: NodeMember, bootId: string | undefined): Pick<NodeMember, 'arriving'> {
  const isOther = before !== undefined && bootId !== undefined && before !== bootId;
  return arriving === undefined || isOther ? {} : { arriving };
}

/** The member when whatever was brought there is over. */
export function withNothingArriving({ arriving: _, ...member }: NodeMember): NodeMember {
  return member;
}

function withArrived(member: NodeMember, resource: string): NodeMember {
  const { arriving } = member;
  if (arriving?.includes(resource) !== true) return member;
  const rest = arriving.filter((id) => id !== resource);
  return rest.length === 0 ? withNothingArriving(member) : { ...member, arriving: rest };
}

function withMemberAs(state: ClusterState, name: string, change: (member: NodeMember) => NodeMember): ClusterState {
  const member = memberOf(state, name);
  const next = member === undefined ? undefined : change(member);
  return next === undefined || next === member ? state : { ...state, nodes: { ...state.nodes, [name]: next } };
}
