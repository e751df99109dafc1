import { DEFAULT_LEASE_MS } from '../api-config.js';

/** What was seen counts for so long at least, ms. */
const LEAST_WINDOW_MS = 60_000;

/**
 * The length of the shortest leases that agents hold here. A lease keeps the length that was set as its node joined: after `SYSTOLE_LEASE_MS` was raised, some are shorter for as long as their agents don't join anew.
 * What agents held when this process began nobody knows at first: then no more is taken for sure than what is set by default.
 */
export class ShortestLease {
  private earlierMs = DEFAULT_LEASE_MS;
  private latelyMs = DEFAULT_LEASE_MS;
  private since: number;

  /**
   * @param setMs of those that join now, ms
   * @param now monotonic ms
   */
  constructor(
    private readonly setMs: number,
    private readonly now: () => number,
  ) {
    this.since = now();
  }

  get ms(): number {
    return Math.min(this.setMs, this.earlierMs, this.latelyMs);
  }

  /** One of that length was renewed. Nothing is forgotten while none is: a server at which nobody arrives must not take the leases for longer than they are. */
  renewed(leaseMs: number): void {
    const now = this.now();
    // An agent renews several times in the length of its lease.
    if (now - this.since > Math.max(LEAST_WINDOW_MS, this.setMs)) {
      this.since = now;
      this.earlierMs = this.latelyMs;
      this.latelyMs = leaseMs;
    }
    this.latelyMs = Math.min(this.latelyMs, leaseMs);
  }
}
