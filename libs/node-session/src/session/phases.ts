import { READY } from '../attempt.js';
import type { EndReason } from '../effects.js';
import { abandon, update, type Turn } from '../turn.js';
import { forgetPlans } from '../work/forget.js';
import { closeOutbox } from './outbox.js';

/** Nobody waits for what the session asked for any more. */
export function endSession(turn: Turn): void {
  const { phase } = turn.state;
  if (phase.kind === 'joining') abandon(turn, phase.join.request);
  if (phase.kind === 'member') {
    abandon(turn, phase.poll.request);
    if (phase.shutdown !== 'asked') abandon(turn, phase.shutdown.request);
  }
  closeOutbox(turn);
}

/** @param pauseMs before the first attempt */
export function enterJoining(turn: Turn, pauseMs = 0): void {
  endSession(turn);
  const joins = turn.state.joins + 1;
  const join = { ...READY, retryAt: turn.now + pauseMs };
  update(turn, { joins, phase: { kind: 'joining', join, sentAt: turn.now, attempt: joins, named: [] } });
}

/** The agent ends and leaves everything as it is. */
export function end(turn: Turn, reason: EndReason): void {
  endSession(turn);
  forgetPlans(turn);
  update(turn, { phase: { kind: 'ended', reason } });
  turn.effects.push({ type: 'end', reason });
}
