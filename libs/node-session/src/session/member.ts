import { agentProblemOf, LIMITS, type PollRequest, type ReadPollAnswer } from '@systole/protocol';
import { failed, isDue, READY } from '../attempt.js';
import { isGone } from '../journal/queue.js';
import { activeIds, sparedBy } from '../journal/telling.js';
import { renew, untilActionMs } from '../lease.js';
import { checkLease, loseLease, noteTold, noteUnmanaged } from '../lease-loss.js';
import { beforeEndMs, policyTold, startsWatchdog } from '../lease-policy.js';
import type { Member, NodeState } from '../state.js';
import { startStopping } from '../stopping.js';
import { log, send, update, type Turn } from '../turn.js';
import { accept, refuseUnreadable } from '../work/accept.js';
import { forgetPlans, killAllButStops } from '../work/forget.js';
import { letReset, watchdogTold } from '../watchdog.js';
import { noteFenceReaction, panic } from './fence-reaction.js';
import { noteHead, noteRollCall, recordedBeyond } from './head.js';
import { noteLoadThreshold } from './load.js';
import { undelivered } from './outbox.js';
import { end, endSession, enterJoining } from './phases.js';
import { pollTiming } from './poll-timing.js';
import { escalateShutdown, noteEscalation } from './shutdown-escalation.js';
import { LAST_RESULTS_MS, LEAVE_PATIENCE_MS, QUICK_ANSWER_MS, REJOIN_PAUSE_MS, REQUEST_TIMEOUT_MS, SLOW_RETRY_MS } from './timing.js';
import { troublesOf } from './troubles.js';

export function driveMember(turn: Turn, member: Member): void {
  const { incarnation } = member.joined;
  if (turn.state.stopRequested && turn.state.lease?.acted === true) {
    log(turn, 'warn', 'no server answers that could move the resources away; they are stopped');
    forgetPlans(turn);
    startStopping(turn, 'end', beforeEndMs(turn));
    return;
  }
  if (escalateShutdown(turn)) return;
  let next = member;
  if (turn.state.stopRequested && next.shutdown !== 'asked' && isDue(next.shutdown, turn.now)) {
    const request = send(turn, { kind: 'shutdown', body: { incarnation } }, REQUEST_TIMEOUT_MS);
    next = { ...next, shutdown: { ...next.shutdown, request } };
  }
  // A node that can remember nothing must not pass for a healthy one: its lease runs out, and the cluster does what it does for a lost node.
  if (isDue(next.poll, turn.now) && !isGone(turn.state.journal, turn.now)) {
    const seq = next.seq + 1;
    const { waitMs, timeoutMs } = pollTiming(next.leaseMs, next.joined.pollMs, untilActionMs(turn.state), next.poll.failures);
    const request = send(turn, { kind: 'poll', body: pollOf(turn, incarnation, seq, waitMs) }, timeoutMs);
    next = { ...next, seq, polledAt: turn.now, poll: { ...next.poll, request } };
  }
  if (next !== member) update(turn, { phase: next });
}

function pollOf({ state, wallMs }: Turn, incarnation: number, seq: number, waitMs: number): PollRequest {
  const { witness, rollCall } = state;
  const recorded = recordedBeyond(state);
  const troubles = troublesOf(state);
  return {
    incarnation,
    waitMs,
    seq,
    known: knownActionIds(state).slice(0, LIMITS.listEntries),
    active: activeIds(state),
    ...sparedBy(state),
    ...watchdogTold(state),
    onLeaseLoss: policyTold(state),
    ...(witness === undefined ? {} : { witness }),
    ...(recorded === undefined ? {} : { recorded }),
    ...(rollCall === undefined ? {} : { rollCall }),
    ...(troubles.length === 0 ? {} : { troubles }),
    timeOfDayMs: Math.floor(wallMs),
  };
}

/** The actions whose results the server does not have yet. */
export function knownActionIds(state: NodeState): readonly string[] {
  const actionIds = Array.from(undelivered(state), ({ result }) => result.actionId);
  return [...new Set([...state.work.accepted, ...actionIds])];
}

export function onPolled(turn: Turn, member: Member, answer: ReadPollAnswer): void {
  const { incarnation } = member.joined;
  const { leaseMs, head, actions, unreadable, unmanaged = [], shutdown } = answer;
  renew(turn, member.polledAt, leaseMs);
  noteTold(turn, answer.onLeaseLoss);
  noteFenceReaction(turn, answer.fenceReaction);
  noteEscalation(turn, answer.shutdownEscalationMs);
  noteLoadThreshold(turn, answer.loadThreshold);
  noteUnmanaged(turn, unmanaged);
  noteHead(turn, head);
  noteRollCall(turn, answer.rollCall);
  const pause = turn.now - member.polledAt < QUICK_ANSWER_MS ? QUICK_ANSWER_MS : 0;
  update(turn, { phase: { ...member, leaseMs, poll: { ...READY, retryAt: turn.now + pause } } });
  if (head !== undefined && head.epoch !== member.epoch) {
    log(turn, 'warn', "the cluster's log has begun a new epoch; joining anew", { epoch: head.epoch });
    rejoin(turn);
    return;
  }
  // The answer may be so late that the lease it renews is over, too: then what it hands out must not begin.
  checkLease(turn);
  if (turn.state.phase.kind !== 'member' || turn.state.lease?.acted !== false) return;
  for (const action of unreadable) refuseUnreadable(turn, action, incarnation);
  for (const action of actions) accept(turn, action, incarnation);
  if (shutdown === true) mayLeave(turn, incarnation);
}

/** What the cluster handed out to this incarnation is void; what has begun goes on, and is reported in its name. */
function rejoin(turn: Turn): void {
  forgetPlans(turn);
  enterJoining(turn, REJOIN_PAUSE_MS);
}

/**
 * The server says that nothing runs here any more. It may not know: after the log went back, before the node was probed. Probes tell it, and it stops what they
 * find. What it never learns of is stopped here, after a while: a node that has left runs nothing, the server counts on that. Then it is told, so that nobody fences a node that has stopped
 * everything.
 */
function mayLeave(turn: Turn, incarnation: number): void {
  const { phase, journal } = turn.state;
  const { active, unmanaged } = journal.ahead;
  const running = [...active.keys()].filter((id) => !unmanaged.has(id));
  if (phase.kind !== 'member') return;
  if (running.length === 0) {
    leave(turn, incarnation);
    return;
  }
  const { leaveToldAt = turn.now, leaseMs } = phase;
  if (turn.now - leaveToldAt >= LEAVE_PATIENCE_MS) {
    log(turn, 'error', 'the cluster does not stop what may run here; it is stopped before this agent ends', { resources: running });
    forgetPlans(turn);
    startStopping(turn, { leaveAs: incarnation }, beforeEndMs(turn));
    return;
  }
  if (phase.leaveToldAt === undefined)
    log(turn, 'warn', 'this node may leave, and resources may run here: waiting for the cluster to stop them', { resources: running });
  // The answer is given at once each time.
  update(turn, { phase: { ...phase, leaveToldAt, poll: { ...phase.poll, retryAt: turn.now + leaseMs / 10 } } });
}

/** The resources are stopped: what is left are results. */
function leave(turn: Turn, incarnation: number): void {
  forgetPlans(turn);
  endSession(turn);
  update(turn, { phase: { kind: 'leaving', incarnation, until: turn.now + LAST_RESULTS_MS } });
}

export function onPollRefused(turn: Turn, member: Member, status: number, problemType: string, detail: string): void {
  if (onSessionRefused(turn, status, problemType, detail)) return;
  log(turn, 'warn', 'can not renew the lease', { problem: detail });
  update(turn, { phase: { ...member, poll: failed(turn, member.poll, status === 426 ? SLOW_RETRY_MS : 0) } });
}

/** The server says that this session is over, and what to do. @returns whether it does */
export function onSessionRefused(turn: Turn, status: number, problemType: string, detail: string): boolean {
  const fields = { problem: detail };
  switch (agentProblemOf(problemType)) {
    case 'incarnation-superseded':
      log(turn, 'error', 'another agent has joined as this node; this one ends and leaves all resources as they are', fields);
      end(turn, 'superseded');
      return true;
    case 'declared-down':
      if (turn.state.fenceReaction === 'panic') panic(turn, detail);
      log(turn, 'error', 'this node was declared down: everything is stopped before it joins anew', fields);
      forgetPlans(turn);
      killAllButStops(turn);
      startStopping(turn, 'join', 0);
      return true;
    case 'reset-ordered':
      letReset(turn, detail);
      forgetPlans(turn);
      killAllButStops(turn);
      // Where it can't be fed any more it may never reset this machine.
      if (startsWatchdog(turn.state)) enterJoining(turn);
      else startStopping(turn, 'join', 0);
      return true;
    case 'lease-lost':
    case 'log-epoch-changed':
      log(turn, 'warn', 'the cluster asks this node to join anew; what runs goes on', fields);
      rejoin(turn);
      return true;
    default:
      if (status !== 409) return false;
      // A server that does not say more: what it does not say may be that everything runs elsewhere.
      if (!loseLease(turn)) rejoin(turn);
      return true;
  }
}
