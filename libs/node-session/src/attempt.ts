import type { Attempt } from './state.js';
import { update, type Turn } from './turn.js';

const FIRST_MS = 200;
const LAST_MS = 5_000;

/** Nothing is under way; the next try may be made at once. */
export const READY: Attempt = { retryAt: 0, failures: 0 };

export function isDue(attempt: Attempt, now: number): boolean {
  return attempt.request === undefined && attempt.retryAt <= now;
}

/**
 * An attempt failed. The other servers are tried at once; when all were, there is a delay that doubles from round to round, with jitter, so that the nodes of a
 * cluster do not come back all at once.
 * @param leastMs of the delay when all were tried
 */
export function failed(turn: Turn, attempt: Attempt, leastMs = 0): Attempt {
  const failures = attempt.failures + 1;
  const servers = turn.state.servers.urls.length;
  const delayMs = failures % servers === 0 ? Math.max(leastMs, backoffMs(turn, failures / servers - 1)) : 0;
  return { retryAt: turn.now + delayMs, failures };
}

/** @param round from 0 */
export function backoffMs(turn: Turn, round: number): number {
  const full = Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(round, 10));
  return Math.round(full / 2 + random(turn) * (full / 2));
}

/** In [0, 1); a linear congruential generator is random enough for delays. */
function random(turn: Turn): number {
  const jitter = (Math.imul(turn.state.jitter, 1_664_525) + 1_013_904_223) >>> 0;
  update(turn, { jitter });
  return jitter / 2 ** 32;
}
