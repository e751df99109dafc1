import { GIVEN_UP_SHARE } from '@systole/protocol';

/** A poll waits this part of the lease at most. */
const LONGEST_WAIT_SHARE = 1 / 5;
/** And this part of the time that is left until the agent would have to act on the loss of its lease. */
const WAIT_SHARE_OF_REST = 1 / 3;
/** After a failure: this part of what is left, but no less than that part of the lease. */
const GRACE_SHARE_OF_REST = 1 / 2;
const LEAST_GRACE_SHARE = 1 / 24;

/** Of a lease that is gone the grace doubles with each failure, up to its whole length. */
const MOST_DOUBLINGS = 3;

/** How long the server may hold a poll, and after which time its answer is given up; ms. */
export interface PollTiming {
  readonly waitMs: number;
  readonly timeoutMs: number;
}

/**
 * An answered poll renews the lease from the moment at which it was sent, so each wait costs lease: the answer to one poll is already as old as
 * it waited when the next one is sent. The waits are short enough that answers may all be late by the grace, or one be lost, without the
 * lease running out; the less of it is left, the shorter.
 *
 * After a failure there is no wait at all: the next server has to say soon whether it is there.
 *
 * @param pollMs longest wait that the server grants
 * @param untilActionMs until the agent must act on the loss of its lease
 * @param failures in a row
 */
export function pollTiming(leaseMs: number, pollMs: number, untilActionMs: number, failures: number): PollTiming {
  const waitMs = failures > 0 ? 0 : Math.floor(Math.min(pollMs, leaseMs * LONGEST_WAIT_SHARE, untilActionMs * WAIT_SHARE_OF_REST));
  return { waitMs, timeoutMs: waitMs + Math.ceil(graceMs(leaseMs, untilActionMs, failures)) };
}

/**
 * After a failure half of what is left of the lease is kept for the server that comes next. When nothing is left, waiting costs nothing more; and a server that thousands of agents ask at once after it was away answers
 * late: were each to give up and ask anew, it would answer only those who have gone.
 */
function graceMs(leaseMs: number, untilActionMs: number, failures: number): number {
  const graceMs = leaseMs * GIVEN_UP_SHARE;
  if (failures === 0) return graceMs;
  if (untilActionMs === 0) return Math.min(leaseMs, graceMs * 2 ** Math.min(MOST_DOUBLINGS, failures - 1));
  return Math.min(graceMs, Math.max(leaseMs * LEAST_GRACE_SHARE, untilActionMs * GRACE_SHARE_OF_REST));
}
