import type { OperationRecorded } from '../events/cluster-event.js';
import { memberOf, type ClusterState, type NodeMember, type SentResource } from '../state/cluster-state.js';
import { deleteHistory, historyOf, isActive, isProbe, RC_NOT_RUNNING } from '../state/history.js';
import { editNode } from '../state/members.js';
import { nodeStateOf } from '../state/node-state.js';
import { withLeftRunning } from './left-running.js';

/**
 * A live migration brings a resource to a node whose agent has not begun anything of it: where that is lost before its `migrate_from`, or leaves, it stops what it knows, and leaves that running. It counts as left
 * running there (`leftRunning`) then. What came first is told by the log, not by the clocks of two machines.
 *
 * @param ok the operation ended as expected
 */
export function withArrivals(state: ClusterState, data: OperationRecorded['data'], ok: boolean): ClusterState {
  const { node, resource } = data;
  const known = withMemberAs(state, node, (member) => withArrived(member, resource));
  const target = targetReached(data, ok);
  return target === undefined ? known : withArriving(known, target, resource, node);
}

/**
 * The same of a result of a life of its node that is over (its agent was restarted, or lost its lease before the result was taken). The plan of that time is over, too, and what the target had said of the resource was said before:
 * that is forgotten, so that it is looked for there before it is started anywhere. Of a life of before the log went back, too: it only has the target looked at.
 */
export function withLateArrival(state: ClusterState, data: OperationRecorded['data'], ok: boolean): ClusterState {
  const target = lateArrival(state, data, ok);
  return target === undefined ? state : withUnlookedFor(state, target, data.resource, data.node);
}

/** Where a result of a life that is over tells a resource to be by now, for all that is known: the target is not known to run it, or to have gone. */
export function lateArrival(state: ClusterState, data: OperationRecorded['data'], ok: boolean): string | undefined {
  const target = targetReached(data, ok);
  return target !== undefined && mayHaveCome(state, target, data.resource) ? target : undefined;
}

/** Whether what was sent to a node may be there without the log knowing it. */
export function mayHaveCome(state: ClusterState, target: string, resource: string): boolean {
  const member = memberOf(state, target);
  // One that was not heard of since the log went back may be up, too.
  const isUp = member?.membership === 'joined' || member?.membership === 'lost' || member?.membership === 'unheard';
  return isUp && !isActive(historyOf(nodeStateOf(state.cib, member), resource), resource);
}

/** The same, of what may have come to a node that is to be looked at for it before the resource is started anywhere. What a probe of before then says is old. */
export function withUnlookedFor(state: ClusterState, target: string, resource: string, source: string): ClusterState {
  const noted = withMemberAs(withArriving(state, target, resource, source), target, (member) => ({
    ...member,
    unlookedFor: { ...member.unlookedFor, [resource]: state.lastTransitionNumber },
  }));
  return editNode(noted, target, (nodeState) => deleteHistory(nodeState, resource));
}

/** Whether a probe that found nothing may have looked before what it looked for had come. */
export function hasLookedTooEarly(
  state: ClusterState,
  { node, resource, operation, intervalMs, status, rc }: OperationRecorded['data'],
  transition: number,
): boolean {
  const { unlookedFor = {} } = memberOf(state, node) ?? {};
  const before = Object.hasOwn(unlookedFor, resource) ? unlookedFor[resource] : undefined;
  return before !== undefined && transition <= before && isProbe(operation, intervalMs) && status === 'done' && rc === RC_NOT_RUNNING;
}

/** One that failed has its resource where it was, says its agent; of one that was cut short nobody knows. */
function targetReached({ node, operation, status, migrateTarget }: OperationRecorded['data'], ok: boolean): string | undefined {
  const isThere = operation === 'migrate_to' && (ok || status !== 'done');
  return isThere && migrateTarget !== node ? migrateTarget : undefined;
}

function withArriving(state: ClusterState, target: string, resource: string, source: string): ClusterState {
  return withMemberAs(state, target, (member) => {
    const from = { ...member.arrivingFrom, [resource]: source };
    const arriving = { ...member, arriving: [...new Set([...(member.arriving ?? []), resource])], arrivingFrom: from };
    return member.membership === 'joined' ? arriving : withLeftRunning(arriving, [resource]);
  });
}

/** History ids of what may have arrived on a node that has said nothing of it since. */
export function arrivingOn(state: ClusterState, node: string): readonly string[] {
  return memberOf(state, node)?.arriving ?? [];
}

/** What came from a node to others that have said nothing of it since. */
export function sentFrom({ nodes }: Pick<ClusterState, 'nodes'>, source: string): readonly SentResource[] {
  return Object.values(nodes).flatMap(({ name: target, arrivingFrom }) =>
    arrivingFrom === undefined
      ? []
      : Object.entries(arrivingFrom).flatMap(([resource, from]) => (from === source ? [{ resource, target }] : [])),
  );
}

/** What a boot that joins again has not looked for yet; nothing of another boot. */
export function arrivingAtJoin(
  { arriving, arrivingFrom, bootId: before }: NodeMember,
  bootId: string | undefined,
): Pick<NodeMember, 'arriving' | 'arrivingFrom'> {
  const isOther = before !== undefined && bootId !== undefined && before !== bootId;
  return arriving === undefined || isOther ? {} : { arriving, ...(arrivingFrom === undefined ? {} : { arrivingFrom }) };
}

/** The member when whatever was brought there is over. */
export function withNothingArriving({ arriving: _, arrivingFrom: __, unlookedFor: ___, ...member }: NodeMember): NodeMember {
  return member;
}

function withArrived(member: NodeMember, resource: string): NodeMember {
  const { arriving, arrivingFrom = {}, unlookedFor = {} } = member;
  if (arriving?.includes(resource) !== true) return member;
  const rest = arriving.filter((id) => id !== resource);
  const from = withoutName(arrivingFrom, resource);
  const unlooked = withoutName(unlookedFor, resource);
  return {
    ...withNothingArriving(member),
    ...(rest.length === 0 ? {} : { arriving: rest }),
    ...(Object.keys(from).length === 0 ? {} : { arrivingFrom: from }),
    ...(Object.keys(unlooked).length === 0 ? {} : { unlookedFor: unlooked }),
  };
}

function withoutName<T>(record: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([id]) => id !== name));
}

function withMemberAs(state: ClusterState, name: string, change: (member: NodeMember) => NodeMember): ClusterState {
  const member = memberOf(state, name);
  const next = member === undefined ? undefined : change(member);
  return next === undefined || next === member ? state : { ...state, nodes: { ...state.nodes, [name]: next } };
}
