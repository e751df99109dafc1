/** A poll waits this part of the lease at most. */
const LONGEST_WAIT_SHARE = 1 / 5;
/** And this part of the time that is left until the agent would have to act on the loss of its lease. */
const WAIT_SHARE_OF_REST = 1 / 3;
/** An answer is overdue after this part of the lease on top of the wait. */
const GRACE_SHARE = 1 / 6;

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
 * @param pollMs longest wait that the server grants
 * @param untilActionMs until the agent must act on the loss of its lease
 */
export function pollTiming(leaseMs: number, pollMs: number, untilActionMs: number): PollTiming {
  const waitMs = Math.floor(Math.min(pollMs, leaseMs * LONGEST_WAIT_SHARE, untilActionMs * WAIT_SHARE_OF_REST));
  return { waitMs, timeoutMs: waitMs + Math.ceil(leaseMs * GRACE_SHARE) };
}
