import { readingOf } from '@systole/cib';
import { memberOf, type ClusterState, type LeaseLossPolicy, type NodeMember } from '../state/cluster-state.js';
import { countsOnWatchdog, isFenceable } from '../fencing/topology.js';
import { configuredNodes, remoteNodeNamed } from '../state/configuration.js';

/** How much more the server has to wait for before it may take a lost node for stopped. */
const CAUTION: Readonly<Record<LeaseLossPolicy, number>> = { stop: 0, watchdog: 1, keep: 2 };

/**
 * What the agent of a node has to do when it can't renew its lease: option `systole-on-lease-loss`, by default `auto`:
 * `watchdog` where its agent feeds one and the cluster counts on that to fence it (specification 15 §1), `keep` where fencing is enabled and a device can fence the node (its resources start elsewhere only when it
 * was fenced, so a server that is away stops nobody's services), `watchdog` where its agent feeds one, else `stop`.
 *
 * @param watchdog whether the node's agent feeds one: without, nobody can be told to stop feeding it
 * @param now epoch ms, for rules
 */
export function leaseLossPolicy(state: ClusterState, node: string, watchdog: boolean, now: number): LeaseLossPolicy {
  const { options } = readingOf(state.cib, now);
  const configured = options.choice('systole-on-lease-loss');
  if (configured === 'keep' || configured === 'stop') return configured;
  if (watchdog && countsOnWatchdog(state, node)) return 'watchdog';
  if (configured !== 'watchdog' && options.flag('fencing-enabled') && isEndedByFencing(state, node)) return 'keep';
  return watchdog ? 'watchdog' : 'stop';
}

/** Whether fencing ends what runs on a node: of a guest that of any node on which it may run, as what it runs in is stopped else before anything starts elsewhere. */
function isEndedByFencing(state: ClusterState, node: string): boolean {
  if (remoteNodeNamed(state.cib, node)?.kind !== 'guest') return isFenceable(state, node);
  return configuredNodes(state.cib).every(({ name }) => isFenceable(state, name));
}

/** What to answer an agent, and what to record before the answer is given. */
export interface LeaseLossTelling {
  readonly tell: LeaseLossPolicy;
  /** Execute `reckon-with` for it first. */
  readonly record?: LeaseLossPolicy;
  /** What is to be recorded makes the server wait less than before: that may be done later. */
  readonly lowers?: true;
}

/**
 * What an agent is told of what to do when it loses its lease. The server reckons with the most cautious of all that the agent may have been told:
 * what makes it wait longer is recorded before it is told, what makes it wait less when the agent is known to have got it.
 *
 * An agent with a setting of its own does that whatever it is told; that it polls shows that it does so by now.
 *
 * @param agent `follows`: what it would do now, as far as it says. `acknowledged`: what the newest answer said that it is known to have received; undefined: not
 *   known
 * @param now epoch ms, for rules
 */
export function leaseLossTelling(
  state: ClusterState,
  node: string,
  agent: { readonly watchdog: boolean; readonly follows?: LeaseLossPolicy; readonly acknowledged?: LeaseLossPolicy },
  now: number,
): LeaseLossTelling {
  const tell = leaseLossPolicy(state, node, agent.watchdog, now);
  const { onLeaseLoss: reckoned = 'stop', localOnLeaseLoss: local } = memberOf(state, node) ?? {};
  if (local !== undefined) {
    // A process that follows it may find another setting of before, where the disk is full.
    const done = moreCautious(local, agent.follows ?? local);
    return done === reckoned ? { tell } : { tell, record: done, ...(CAUTION[done] < CAUTION[reckoned] ? { lowers: true } : {}) };
  }
  const bound = moreCautious(tell, agent.follows ?? tell);
  const raised = CAUTION[bound] > CAUTION[reckoned];
  const lowered = CAUTION[bound] < CAUTION[reckoned] && agent.acknowledged === tell;
  if (raised) return { tell, record: bound };
  return lowered ? { tell, record: bound, lowers: true } : { tell };
}

/**
 * Whether a word that makes the server wait less comes too late: what agents are told by now makes it wait longer, whatever watchdogs they have. A frozen server may record it after polls that were told so, of
 * which nothing had to be recorded.
 *
 * @param now epoch ms, for rules
 */
export function isLateLowering(state: ClusterState, node: string, policy: LeaseLossPolicy, now: number): boolean {
  const { onLeaseLoss: reckoned = 'stop', localOnLeaseLoss: local } = memberOf(state, node) ?? {};
  if (local !== undefined || CAUTION[policy] >= CAUTION[reckoned]) return false;
  return [true, false].every((watchdog) => CAUTION[leaseLossPolicy(state, node, watchdog, now)] > CAUTION[policy]);
}

/** What the agent says of its watchdog with a poll. */
export interface WatchdogSaid {
  /** Armed, with this time-out, ms; absent: it is not. */
  readonly armedMs?: number;
  /** Whether it feeds one at all, or will. */
  readonly watchdog: boolean;
  /** What it would do now if it lost its lease. */
  readonly follows?: LeaseLossPolicy;
}

/** What to record of a node's watchdog ({@link watchdogTelling}). */
export type WatchdogNews =
  /** It is armed, and time alone may prove from the next poll on that says so that a lost node is down. */
  | { readonly type: 'announced'; readonly timeoutMs: number; readonly grows?: undefined }
  /** Time alone may prove it from now on; `grows`: by a shorter time it does so already. */
  | { readonly type: 'counts'; readonly timeoutMs: number; readonly grows?: true }
  /** It may not any more. */
  | { readonly type: 'void' };

/**
 * What to record of a node's watchdog before its poll is answered; `void` comes before the agent is told what makes it so. An agent has one poll at a time and drops the answers of those that it gave up: what it
 * follows as it polls, and what this answer says, is all that it can follow.
 *
 * Where nothing is known of a watchdog, that there is one is recorded first, and only a later poll makes it count: a server that freezes with the word of a poll would record it after a later one that said that the
 * watchdog is gone, of which nothing was recorded, as nothing was known. Once it is known every such poll leaves a trace, with its number.
 *
 * @param tell what the answer says
 * @returns undefined: what is recorded holds
 */
export function watchdogTelling(
  state: ClusterState,
  node: string,
  { armedMs, watchdog, follows = 'watchdog' }: WatchdogSaid,
  tell: LeaseLossPolicy,
): WatchdogNews | undefined {
  const { watchdog: recorded, onLeaseLoss, localOnLeaseLoss: local = tell } = memberOf(state, node) ?? {};
  const starves = watchdog && follows === 'watchdog' && local === 'watchdog';
  if (!starves || armedMs === undefined) {
    const isVoid = recorded?.armedSince !== undefined || (recorded !== undefined && !starves && (!watchdog || onLeaseLoss === 'watchdog'));
    return isVoid ? { type: 'void' } : undefined;
  }
  // A shorter time is not believed of one that counts: what it was armed with may go on.
  if (onLeaseLoss !== 'watchdog' || (recorded?.armedSince !== undefined && recorded.timeoutMs >= armedMs)) return undefined;
  if (recorded === undefined) return { type: 'announced', timeoutMs: armedMs };
  const grows = recorded.armedSince !== undefined;
  return { type: 'counts', timeoutMs: Math.max(recorded.timeoutMs, armedMs), ...(grows ? { grows: true } : {}) };
}

function moreCautious(one: LeaseLossPolicy, other: LeaseLossPolicy): LeaseLossPolicy {
  return CAUTION[one] > CAUTION[other] ? one : other;
}

/**
 * What the server reckons with of a node that joins. The answer to its join may get lost, and until it arrives the agent follows what it was told before: that is
 * over for certain only when its machine was started anew, or it stopped everything and left, or was down. After the log went back nobody knows what it was
 * told. The first poll of the new life shows that the answer arrived ({@link leaseLossTelling}).
 *
 * @param state before the join
 * @param join `told`: what the answer says, or what the agent does whatever it says; undefined for an agent that follows no server, and so stops its resources
 */
export function reckonedAtJoin(
  state: ClusterState,
  { node, bootId, told }: { readonly node: string; readonly bootId?: string | undefined; readonly told: LeaseLossPolicy | undefined },
): LeaseLossPolicy | undefined {
  const before = memberOf(state, node);
  if (told === undefined) return undefined;
  const isLost = before === undefined ? state.epoch !== undefined : before.membership === 'unheard';
  if (isLost) return 'keep';
  if (before?.onLeaseLoss === undefined || !mayFollow(before, bootId)) return told;
  return moreCautious(before.onLeaseLoss, told);
}

/** Whether an agent that joins from this boot may go by what it was told in the life before. */
function mayFollow({ membership, bootId: before }: NodeMember, bootId: string | undefined): boolean {
  if (membership === 'left') return false;
  if (before === undefined || bootId === undefined) return membership !== 'down';
  return bootId === before;
}
