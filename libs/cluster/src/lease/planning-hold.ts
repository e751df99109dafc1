import { readingOf } from '@systole/cib';
import { isRequested } from '../fencing/fencing-limit.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { isGuestOf } from '../remote/guests.js';
import { fencedByDevice, joinedNodes } from '../remote/remote-nodes.js';
import { configuredNodes } from '../state/configuration.js';
import type { ElapsedSince } from './elapsed-since.js';
import { downMarginMs } from './lease.js';
import { lostTogether } from './lost-together.js';
import { isRestarted } from './restart.js';

/** An agent that was refused, or could not reach its server, asks again within 5 s. */
const RESTART_MS = 10_000;

/**
 * So often a lost node is waited for because quorum was regained. One fault may take it away twice; a node that comes and goes takes it away for ever, and what is lost would
 * never be fenced.
 */
const MOST_REGAINS = 2;

/** For how many ms more no plan may be made, and why (for status). */
export interface PlanningHold {
  readonly forMs: number;
  readonly reason: string;
}

/**
 * Whether planning has to wait although `recompute` is set. The worker asks before it schedules, and sets a timer for `forMs`.
 *
 * - *Start-up*, and after the log went back in time: nodes join one after another. Until every configured node was heard of, or `dc-deadtime` (20 s)
 *   after the first join, nothing is planned: a node that is only late would otherwise be fenced, and resources would all go to the first node.
 * - *Lost tail*: nodes that joined after the copy was made which the log went back to are not known to it. They get the time, too, whoever else has joined.
 * - *Absence*: nodes that were lost at the same time (whoever of them is back: `lostTogether`), before the first of all came back, or before quorum was regained, may have been kept from the
 *   server by the same fault, or by the server's own. Where there is fencing they get `dc-deadtime`, too. While others are overdue, whether they are lost is waited for; but not for guests of what was lost.
 *   Not waited for is a node whose fencing a person asked for.
 * - *Restart*: a lost node whose machine asked to join while its old lease still lived, and will be let in when it asks again.
 * - *`transition-delay`*: so long after the newest event that asked for a plan, so that others can come with it; each one begins it anew, as observed of the reference.
 * - *No fencing*: a lost node whose down margin has not passed (fencing was switched off in between) may still run its resources.
 *
 * @param now epoch ms, for rules: the moment for which is planned
 * @param overdue nodes that should have renewed their lease by now, and in how many ms it will be over
 */
export function planningHold(
  state: ClusterState,
  elapsed: ElapsedSince,
  now: number,
  overdue: ReadonlyMap<string, number> = new Map(),
): PlanningHold | undefined {
  return [
    startUpHold(state, elapsed, now),
    epochHold(state, elapsed, now),
    ...(readingOf(state.cib, now).options.flag('fencing-enabled')
      ? [overdueHold(state, elapsed, overdue, now), ...returnHolds(state, elapsed, now), togetherHold(state, elapsed, now)]
      : []),
    ...restartHolds(state, elapsed),
    ...marginHolds(state, elapsed, now),
    delayHold(state, elapsed, now),
  ].find((hold) => hold !== undefined && hold.forMs > 0);
}

function delayHold({ cib, recompute }: ClusterState, elapsed: ElapsedSince, now: number): PlanningHold | undefined {
  const delayMs = readingOf(cib, now).options.duration('transition-delay');
  if (recompute === undefined || delayMs === 0) return undefined;
  const { at, version, reason } = recompute;
  return {
    forMs: delayMs - elapsed('asked to plan', Date.parse(at), version),
    reason: `waiting for what may follow (transition-delay): ${reason}`,
  };
}

/**
 * Whether nodes may all have been down, so that whoever is missing is given time to come back: of the holds of {@link planningHold} those of a start, of an epoch, and of what follows the
 * loss of all nodes or of quorum. Nobody was there meanwhile who could have fenced anybody.
 */
export function comebackHold(state: ClusterState, elapsed: ElapsedSince, now: number): PlanningHold | undefined {
  return [startUpHold(state, elapsed, now), epochHold(state, elapsed, now), ...returnHolds(state, elapsed, now)].find(
    (hold) => hold !== undefined && hold.forMs > 0,
  );
}

function deadTimeMs({ cib }: ClusterState, now: number): number {
  return readingOf(cib, now).options.duration('dc-deadtime');
}

function startUpHold(state: ClusterState, elapsed: ElapsedSince, now: number): PlanningHold | undefined {
  const missing = configuredNodes(state.cib).filter(({ name }) => {
    const membership = memberOf(state, name)?.membership;
    return membership === undefined || membership === 'unheard';
  });
  if (missing.length === 0) return undefined;
  const reason = `waiting for ${listed(missing.map(({ name }) => name))} to join`;
  return { forMs: sinceFirstJoin(state, elapsed, now), reason };
}

/** What is left of `dc-deadtime` from the join that ended a time without any node; for ever as long as there is none. */
function sinceFirstJoin(state: ClusterState, elapsed: ElapsedSince, now: number): number {
  const { firstJoinAt } = state;
  return firstJoinAt === undefined ? Number.POSITIVE_INFINITY : deadTimeMs(state, now) - elapsed('first join', Date.parse(firstJoinAt));
}

/** Until the first plan of an epoch: as long as any agent that runs may need to be refused and to join anew, from the first join on (a server that one agent reaches, all may reach). */
function epochHold(state: ClusterState, elapsed: ElapsedSince, now: number): PlanningHold | undefined {
  const { epoch, lastPlanned, firstJoinAt } = state;
  if (epoch === undefined || (lastPlanned !== undefined && lastPlanned.plannedVersion > epoch.version)) return undefined;
  const leaseMs = Math.max(0, ...Object.values(state.nodes).map((member) => member.leaseMs));
  const reason =
    'the event log went back in time: nodes that joined after its copy was made are not known to it, and may run resources; they are given time to join anew';
  const waitMs = Math.max(deadTimeMs(state, now), leaseMs + RESTART_MS);
  return { forMs: firstJoinAt === undefined ? Number.POSITIVE_INFINITY : waitMs - elapsed('first join', Date.parse(firstJoinAt)), reason };
}

/** At most the length of their leases from the loss: who was cut off together with the lost node is lost as well by then. Those who always renew late would put it off for ever. */
function overdueHold(
  state: ClusterState,
  elapsed: ElapsedSince,
  overdue: ReadonlyMap<string, number>,
  now: number,
): PlanningHold | undefined {
  const lost = lostNodes(state).filter((member) => isWaitedFor(state, member, now));
  if (lost.length === 0) return undefined;
  const isLostWithHost = (name: string): boolean => lost.some((host) => isGuestOf(state, name, host.name));
  const late = [...overdue.keys()].filter((name) => memberOf(state, name)?.membership === 'joined' && !isLostWithHost(name));
  if (late.length === 0) return undefined;
  const longestMs = Math.max(...late.map((name) => memberOf(state, name)?.leaseMs ?? 0));
  const leftMs = longestMs - Math.min(...lost.map((member) => sinceLoss(member, elapsed)));
  const forMs = Math.min(leftMs, Math.max(...late.map((name) => overdue.get(name) ?? 0)));
  const isLate = late.length === 1 ? 'is' : 'are';
  const reason = `${namesOf(lost)} was lost, and ${late.join(', ')} ${isLate} overdue: they may have been cut off together`;
  return { forMs, reason };
}

function returnHolds(state: ClusterState, elapsed: ElapsedSince, now: number): readonly PlanningHold[] {
  const lost = lostNodes(state);
  if (lost.length === 0) return [];
  if (joinedNodes(state).length === 0) {
    return [{ forMs: Number.POSITIVE_INFINITY, reason: `waiting for ${namesOf(lost)} to come back: no node is left` }];
  }
  const { firstJoinVersion, quorum } = state;
  const waitedFor = lost.filter((member) => isWaitedFor(state, member, now));
  const before = (version: number | undefined) =>
    waitedFor.filter(({ lostVersion }) => version !== undefined && lostVersion !== undefined && lostVersion <= version);
  const early = before(firstJoinVersion);
  const inquorate = before(quorum?.regainedVersion).filter(
    ({ lostVersion = 0 }) => (quorum?.regains ?? []).filter((version) => version >= lostVersion).length <= MOST_REGAINS,
  );
  return [
    ...(early.length === 0 ? [] : [{ forMs: sinceFirstJoin(state, elapsed, now), reason: `waiting for ${namesOf(early)} to come back` }]),
    ...(inquorate.length === 0
      ? []
      : [
          {
            forMs: deadTimeMs(state, now) - elapsed('quorum regained', Date.parse(quorum?.regainedAt ?? '')),
            reason: `quorum was regained: waiting for ${namesOf(inquorate)} to come back`,
          },
        ]),
  ];
}

function togetherHold(state: ClusterState, elapsed: ElapsedSince, now: number): PlanningHold | undefined {
  // Whoever was lost together with a node that is not waited for was still not lost alone.
  const together = lostTogether(state, elapsed).filter(({ member }) => isWaitedFor(state, member, now));
  const waitMs = deadTimeMs(state, now);
  const waiting = together.filter(({ forMs }) => forMs < waitMs);
  if (waiting.length === 0) return undefined;
  const names = namesOf(waiting.map(({ member }) => member));
  return {
    forMs: waitMs - Math.min(...waiting.map(({ forMs }) => forMs)),
    reason:
      waiting.length === 1
        ? `${names} was not lost alone: waiting for it to come back`
        : `${names} were lost at once: waiting for them to come back`,
  };
}

function lostNodes({ nodes, cib }: ClusterState): readonly NodeMember[] {
  const configured = new Set(fencedByDevice(cib));
  return Object.values(nodes).filter(({ name, membership }) => membership === 'lost' && configured.has(name));
}

/** Whoever asked for a node's fencing does not expect it back. */
function isWaitedFor(state: ClusterState, { name }: NodeMember, now: number): boolean {
  return !isRequested(state, name, now);
}

function sinceLoss({ name, since, lostVersion }: NodeMember, elapsed: ElapsedSince): number {
  return elapsed(`loss of ${name}`, Date.parse(since), lostVersion);
}

function namesOf(members: readonly NodeMember[]): string {
  return listed(members.map(({ name }) => name).toSorted());
}

/** Names that a text lists before it only counts. */
const NAMED = 8;

function listed(names: readonly string[]): string {
  if (names.length <= NAMED) return names.join(', ');
  return `${names.slice(0, NAMED).join(', ')} and ${String(names.length - NAMED)} more`;
}

/**
 * A machine that came up again before its old lease was over asks again soon: whoever fenced it now would shoot a node that is about to join. But for one that
 * has to be fenced before anybody is let in (`joinedElsewhere`).
 */
function restartHolds(state: ClusterState, elapsed: ElapsedSince): readonly PlanningHold[] {
  return Object.values(state.nodes)
    .filter((member) => member.membership === 'lost' && member.onLeaseLoss !== 'keep' && isRestarted(member))
    .map((member) => ({
      forMs: RESTART_MS - sinceLoss(member, elapsed),
      reason: `waiting for ${member.name} to join: it was started again`,
    }));
}

function marginHolds(state: ClusterState, elapsed: ElapsedSince, now: number): readonly PlanningHold[] {
  if (readingOf(state.cib, now).options.flag('fencing-enabled')) return [];
  return Object.values(state.nodes)
    .filter(({ membership, lostWithFencing, onLeaseLoss }) => membership === 'lost' && lostWithFencing === true && onLeaseLoss !== 'keep')
    .map((member) => ({
      forMs: downMarginMs(state, member.name, now) - sinceLoss(member, elapsed),
      reason: `giving ${member.name} time to stop its resources, as there is no fencing`,
    }));
}
