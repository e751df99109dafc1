import type { MonotonicClock } from './clock.js';

/** Part of the lease that is kept in reserve: at the end of the rest the agent acts, so that it has acted before the server counts the lease as lost. */
const RESERVE = 0.25;

/**
 * The agent's side of its lease. The server counts a lease from the receipt of a poll; here it counts from the moment at which that poll was sent, so the
 * agent always believes that it has less time than the server grants.
 */
export class Lease {
  private held: { readonly from: number; readonly lengthMs: number } | undefined;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param clock see {@link import('./clock.js').leaseClock}
   * @param onRunningOut called once when the lease could not be renewed in time, {@link RESERVE} of its length before its end
   */
  constructor(
    private readonly clock: MonotonicClock,
    private readonly onRunningOut: () => void,
  ) {}

  now(): number {
    return this.clock();
  }

  /** A request that was sent at `sentAt` (by {@link now}) was answered with a lease of this length. An older answer than the last changes nothing. */
  renew(sentAt: number, lengthMs: number): void {
    if (this.held !== undefined && this.held.from > sentAt) return;
    this.held = { from: sentAt, lengthMs };
    this.watch();
  }

  /** ms until the lease ends; 0 when there is none. */
  remainingMs(): number {
    if (this.held === undefined) return 0;
    return Math.max(0, this.held.from + this.held.lengthMs - this.clock());
  }

  /** ms until the agent must act; 0 when there is no lease. */
  untilActionMs(): number {
    if (this.held === undefined) return 0;
    return Math.max(0, this.remainingMs() - this.held.lengthMs * RESERVE);
  }

  /** The agent gives the lease up: it has left, or has acted on its loss. */
  drop(): void {
    this.held = undefined;
    clearTimeout(this.timer);
  }

  private watch(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // A timer can fire early by its rounding, and the lease may have been renewed meanwhile.
      if (this.untilActionMs() > 0) {
        this.watch();
        return;
      }
      this.onRunningOut();
    }, Math.ceil(this.untilActionMs()));
  }
}
