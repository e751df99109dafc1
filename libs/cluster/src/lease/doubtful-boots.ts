import { readingOf } from '@systole/cib';
import type { ClusterEvent } from '../events/cluster-event.js';
import type { ClusterState, NodeMember } from '../state/cluster-state.js';
import { nodeStateOf, editNodeState, setTransientAttribute } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';

/**
 * Boots that were let in for a node although what an earlier boot of it ran may run on, as nobody could fence that (safety rule S1; docs/decisions/0025-one-machine-for-a-node.md).
 * After a power cut all machines are other boots, and nothing runs on. Where another machine ran on, the earlier boot may do so, too: then such a boot has its vote, so that there can be quorum, and
 * nothing else; nothing is started (`activationHold`) before the node was fenced.
 */

/** Whether the machine of another node, which is joined, has been up since before that version: not everything lost its power then. */
export function anotherRanOn({ nodes }: Pick<ClusterState, 'nodes'>, node: string, version: number): boolean {
  return Object.values(nodes).some(
    ({ name, membership, bootVersion = version }) => name !== node && membership === 'joined' && bootVersion < version,
  );
}

/** Whether what is planned now is planned for the whole cluster: with quorum, or where that is ignored. */
export function actsForAll(state: ClusterState): boolean {
  return state.quorum?.quorate === true || readingOf(state.cib, planTime(state)).options.choice('no-quorum-policy') === 'ignore';
}

/**
 * Judges doubtful boots with the event that can decide it: somebody joined whose machine ran on, or a plan is made for the whole cluster and nobody did. (What is planned may start what a later witness
 * would say to run on: from then on it is too late to ask.)
 */
export function withDoubtsJudged(state: ClusterState, { type }: Pick<ClusterEvent, 'type'>): ClusterState {
  if (type !== 'NodeJoined' && type !== 'TransitionPlanned') return state;
  return Object.values(state.nodes).reduce((next, member) => {
    const { doubtfulSince } = member;
    if (doubtfulSince === undefined) return next;
    if (anotherRanOn(next, member.name, doubtfulSince)) return withUnproven(next, member);
    return type === 'TransitionPlanned' && actsForAll(next) ? withMember(next, withoutDoubt(member)) : next;
  }, state);
}

/** The fencing is asked for as a person would (specification 03 §2.3). */
export function withUnproven(state: ClusterState, member: NodeMember): ClusterState {
  return withTermination(withMember(state, { ...withoutDoubt(member), unproven: true }), member, 'true');
}

/** Whatever an earlier boot ran is over. */
export function withProven(state: ClusterState, member: NodeMember): ClusterState {
  const proven = withMember(state, withoutDoubt(member));
  return member.unproven === undefined ? proven : withTermination(proven, member, undefined);
}

/** The member when there is no doubt about its earlier boots any more. */
export function withoutDoubt({ doubtfulSince: _, unproven: __, ...member }: NodeMember): NodeMember {
  return member;
}

/** What of it stays when the node joins again: nothing of that tells of the boot that is in doubt. */
export function doubtOf({ doubtfulSince, unproven }: NodeMember): Pick<NodeMember, 'doubtfulSince' | 'unproven'> {
  return { ...(doubtfulSince === undefined ? {} : { doubtfulSince }), ...(unproven === undefined ? {} : { unproven }) };
}

/** Names of the nodes that are to be fenced for it. */
export function unprovenNodes({ nodes }: Pick<ClusterState, 'nodes'>): readonly string[] {
  return Object.values(nodes).flatMap(({ name, membership, unproven }) => (unproven === true && membership !== 'unheard' ? [name] : []));
}

function withMember(state: ClusterState, member: NodeMember): ClusterState {
  return { ...state, nodes: { ...state.nodes, [member.name]: member } };
}

function withTermination(state: ClusterState, { id, name }: NodeMember, value: 'true' | undefined): ClusterState {
  if (nodeStateOf(state.cib, { id, name }) === undefined) return state;
  return { ...state, cib: editNodeState(state.cib, { id, name }, (nodeState) => setTransientAttribute(nodeState, id, 'terminate', value)) };
}
