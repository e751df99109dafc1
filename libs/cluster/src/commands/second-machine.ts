import { readingOf } from '@systole/cib';
import type { LogHead } from '../epoch/witness.js';
import { epochOf } from '../epoch/witness.js';
import { isFenceable } from '../fencing/topology.js';
import { downMarginMs } from '../lease/lease.js';
import { actsForAll, anotherRanOn, silentSince } from '../lease/doubtful-boots.js';
import { joinedNodes } from '../remote/remote-nodes.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';
import type { JoinNode, NoteRefusedJoin, NoteSecondMachine } from './agent-command.js';
import type { Decision } from './decision.js';
import { accept, reject } from './rejection.js';

/** So late may a message arrive that shows that a life went on, ms: no longer do proxies and clients wait. */
const LATEST_MS = 60_000;

/**
 * One machine at a time acts for a node (safety rule S1; docs/decisions/0025-one-machine-for-a-node.md). Another boot than the one that joined last may be the same machine,
 * restarted, which ended what ran there; or a second one, of which the first one may run on, cut off or frozen.
 *
 * @returns why it is not let in now; undefined when nothing of the other boot can run any more, or nobody can make sure of that
 */
export function joinedElsewhere(command: JoinNode, state: ClusterState): (Decision & { readonly ok: false }) | undefined {
  const { node, bootId } = command;
  const member = memberOf(state, node);
  if (member?.bootId === undefined || bootId === undefined || bootId === member.bootId) return undefined;
  const obstacle = obstacleTo(command, member, state);
  if (obstacle === undefined) return undefined;
  // Not as which one: with a token and these ids whoever is refused could pass for that machine.
  const is = `${node} is ${member.membership} since ${member.since}, as another boot or another machine (its newest NodeJoined in the event log names it, to those who may read that)`;
  return reject(state, 'node-joined-elsewhere', `${is}. ${EXPLAINED[obstacle]}`, { pointer: '/bootId' });
}

type Obstacle = 'lease-lives' | 'other-machine' | 'second-machine' | 'may-run-on';

const OWN_NAME = 'give it a node name and a token of its own';
const EXPLAINED: Readonly<Record<Obstacle, string>> = {
  'lease-lives': `Is this a second machine? Then ${OWN_NAME}. Was the machine restarted? Then it is let in when its lease is over, or the node was fenced. Was it replaced? Then fence the node, or confirm that it is down`,
  'other-machine': `This is another machine: ${OWN_NAME}. Was the machine replaced? Then fence the node, or confirm that it is down`,
  'second-machine': `That boot was heard of after this one had begun, so this is a second machine: ${OWN_NAME}. It is let in for this node when the node was fenced, has left, or a person confirms that it is down`,
  'may-run-on':
    'What that boot ran may run on. Was the machine restarted? Then it is let in when the node was fenced, its watchdog has had its time, or a person confirms that it is down',
};

function obstacleTo(command: JoinNode, member: NodeMember, state: ClusterState): Obstacle | undefined {
  const { machineId } = command;
  const { membership } = member;
  if (membership === 'left' || membership === 'down') return undefined;
  if (membership === 'joined') return 'lease-lives';
  if (machineId !== undefined && member.machineId !== undefined && machineId !== member.machineId) return 'other-machine';
  if (livedAtOnce(command, member)) return 'second-machine';
  const waits = awaitsReset(command, member, state) || (mayRunOn(command, member) && fencingComes(command, member, state));
  return waits ? 'may-run-on' : undefined;
}

/**
 * Whether what the earlier boot ran may run on although this one is let in, for nobody can fence it before there is quorum; after a power cut it is over, and all machines are other boots.
 * Whoever's machine ran on all the time tells that apart when it is there, or comes back (`withDoubtsJudged`).
 *
 * @param command of a join that nothing stands against (`joinedElsewhere`)
 */
export function isDoubtful(command: JoinNode, member: NodeMember | undefined, state: ClusterState): boolean {
  if (member?.bootId === undefined || command.bootId === undefined || command.bootId === member.bootId) return false;
  return silentSince(state, member) !== undefined && mayRunOn(command, member) && hasFencing(state, member.name);
}

/** Whether both boots are known to have lived at once. One that the log has lost the joining of was let in for some reason. */
function livedAtOnce(command: JoinNode, { secondBoots = [], bootId, membership, incarnation }: NodeMember): boolean {
  if (membership === 'unheard' && (command.bootIncarnation ?? 0) > incarnation) return false;
  return (command.bootId !== undefined && secondBoots.includes(command.bootId)) || (!sharesKernel(command, bootId) && beganBefore(command));
}

/**
 * Whether both are boots of one kernel, which run directories of their own tell apart: a container that was started again, or a run directory that was emptied. How long that kernel is up says nothing.
 * A boot id is that of the kernel, a dot, and that of the run directory.
 */
function sharesKernel({ bootId: asking }: Pick<JoinNode, 'bootId'>, bootId: string | undefined): boolean {
  const kernelOf = (id: string | undefined): string | undefined => (id?.includes('.') === true ? id.slice(0, id.indexOf('.')) : undefined);
  const kernel = kernelOf(asking);
  return kernel !== undefined && kernel === kernelOf(bootId);
}

/** Whether the machine that asks was up clearly before the other boot was last heard of, as far as is known. */
function beganBefore({ uptimeMs, silentMs }: Pick<JoinNode, 'uptimeMs' | 'silentMs'>): boolean {
  return uptimeMs !== undefined && silentMs !== undefined && uptimeMs > silentMs + LATEST_MS;
}

/** Whether it began after the other boot was last heard of. */
function beganAfter({ uptimeMs, silentMs }: JoinNode): boolean {
  return uptimeMs !== undefined && silentMs !== undefined && uptimeMs <= silentMs;
}

/** Whether the watchdog of a machine that was not restarted since has yet to reset it: in time it does, whether there is fencing or not. */
function awaitsReset(command: JoinNode, { name, membership, onLeaseLoss, givenUp }: NodeMember, state: ClusterState): boolean {
  if (membership !== 'lost' || onLeaseLoss !== 'watchdog' || givenUp === true || beganAfter(command)) return false;
  return (command.lostMs ?? 0) < downMarginMs(state, name, planTime(state));
}

/**
 * Whether what the other boot ran may run on, and time does not end it. One that was told to stop has stopped before its lease ended. Of what ran before the log went back nothing is known; where that
 * says that a node was off nobody would ever fence it, and a boot that was let in by what the log has lost is no other machine.
 */
function mayRunOn({ bootIncarnation = 0 }: JoinNode, { membership, onLeaseLoss, overBefore, incarnation }: NodeMember): boolean {
  if (membership === 'unheard') return overBefore !== true && bootIncarnation <= incarnation;
  return onLeaseLoss === 'keep';
}

/**
 * Whether the cluster fences the node as it stands: else whoever waited for that might wait for ever, all nodes after a power cut for one another. Where another machine ran on it was no
 * power cut, and whoever is given time to come back is fenced after it.
 */
function fencingComes({ fencingHeld }: JoinNode, member: NodeMember, state: ClusterState): boolean {
  const { name } = member;
  if (isKnownByWordAlone(member)) return false;
  if (joinedNodes(state).every((other) => other === name) || !actsForAll(state) || !hasFencing(state, name)) return false;
  const since = silentSince(state, member);
  return fencingHeld !== true || (since !== undefined && anotherRanOn(state, name, since));
}

/** Whether its agent was noted (`unconfigured`) and never let in: it has no state, so that nobody plans to fence it. */
function isKnownByWordAlone({ membership, incarnation }: NodeMember): boolean {
  return membership === 'unheard' && incarnation === 0;
}

/** Whether there is fencing, and a device for that node. */
function hasFencing(state: ClusterState, node: string): boolean {
  return readingOf(state.cib, planTime(state)).options.flag('fencing-enabled') && isFenceable(state, node);
}

export function noteRefusedJoin(command: NoteRefusedJoin, state: ClusterState): Decision {
  const { node, bootId, machineId } = command;
  const member = memberOf(state, node);
  if (member === undefined) return reject(state, 'node-not-found', `${node} never joined this cluster`, { pointer: '/node' });
  const machine = { node, bootId, ...(machineId === undefined ? {} : { machineId }) };
  const proven = !sharesKernel(command, member.bootId) && beganBefore(command) && member.secondBoots?.includes(bootId) !== true;
  return accept(
    ...(member.refusedJoin?.bootId === bootId ? [] : [{ type: 'NodeJoinRefused', data: machine } as const]),
    ...(proven ? [{ type: 'NodeJoinRefused', data: { ...machine, alongside: true } } as const] : []),
  );
}

/**
 * The boot that asked to join while the node's present life goes on, when its agent shows that: it was told of a version of the log that has the refusal. That proves it whatever
 * messages are late: one that was sent before the machine was restarted can't show it.
 */
export function secondBootOf(state: ClusterState, clusterId: string, node: string, shown: LogHead | undefined): string | undefined {
  const { refusedJoin, secondBoots = [], membership, bootId } = memberOf(state, node) ?? {};
  if (shown === undefined || refusedJoin === undefined || membership !== 'joined' || bootId === undefined) return undefined;
  if (secondBoots.includes(refusedJoin.bootId) || shown.epoch !== epochOf(state, clusterId)) return undefined;
  return shown.version >= refusedJoin.version ? refusedJoin.bootId : undefined;
}

export function noteSecondMachine({ node, incarnation, bootId }: NoteSecondMachine, state: ClusterState): Decision {
  const member = memberOf(state, node);
  const holds = member?.incarnation === incarnation && member.membership === 'joined' && member.refusedJoin?.bootId === bootId;
  if (!holds || member.secondBoots?.includes(bootId) === true) return accept();
  return accept({ type: 'NodeJoinRefused', data: { node, bootId, alongside: true } });
}
