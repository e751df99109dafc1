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

/** The stream version since which nothing was heard of the newest boot of a node: of its loss, or of the epoch of the log that has begun since. */
export function silentSince({ epoch }: Pick<ClusterState, 'epoch'>, { membership, lostVersion }: NodeMember): number | undefined {
  if (membership === 'lost') return lostVersion;
  return membership === 'unheard' ? epoch?.version : undefined;
}

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
  const proven = withMember(state, withoutEarlierBoots(member));
  return member.unproven === undefined ? proven : withTermination(proven, member, undefined);
}

/** The member when there is no doubt about its earlier boots any more. */
export function withoutDoubt({ doubtfulSince: _, unproven: __, ...member }: NodeMember): NodeMember {
  return member;
}

/** The member when its earlier boots are over for certain. */
export function withoutEarlierBoots({ earlierBoots: _, ...member }: NodeMember): NodeMember {
  return withoutDoubt(member);
}

/** What of it stays when the node joins again: nothing of that tells of the boot that is in doubt. */
export function doubtOf({ doubtfulSince, unproven }: NodeMember): Pick<NodeMember, 'doubtfulSince' | 'unproven'> {
  return { ...(doubtfulSince === undefined ? {} : { doubtfulSince }), ...(unproven === undefined ? {} : { unproven }) };
}

/** How many earlier boots are remembered. */
const BOOTS_REMEMBERED = 8;

/** The earlier boots of a node when a boot joins: with the one before, unless that was over, or had stopped what it ran. */
export function earlierBootsWith(before: NodeMember | undefined, joining: string | undefined): Pick<NodeMember, 'earlierBoots'> {
  if (before === undefined) return {};
  const { bootId, membership, onLeaseLoss, earlierBoots = [] } = before;
  const mayRunOn = membership === 'unheard' || (membership === 'lost' && onLeaseLoss === 'keep');
  const boots = bootId === undefined || !mayRunOn ? earlierBoots : [...earlierBoots.filter((boot) => boot !== bootId), bootId];
  const others = boots.filter((boot) => boot !== joining).slice(-BOOTS_REMEMBERED);
  return others.length === 0 ? {} : { earlierBoots: others };
}

/** When a boot that was refused is known to live, and it is an earlier one of the node: what that ran runs on beside the present one. */
export function withEarlierBootHeard(state: ClusterState, node: string, boot: string): ClusterState {
  const member = state.nodes[node];
  return member?.membership === 'joined' && member.earlierBoots?.includes(boot) === true ? withUnproven(state, member) : state;
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
