/** So many plans of a cluster may follow one another at once. */
const BURST = 8;
/** From then on, planning a cluster takes at most one part in so many of the time. */
const PART = 10;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/**
 * How soon a cluster may be planned again: what makes plans again and again must neither fill the stream nor take the scheduler from others. Measured by what a plan takes, so that many failures
 * one after the other are answered quickly where that costs little.
 */
export class PlanPace {
  /** When each cluster was planned lately, monotonic ms, newest last; and how long to wait after the newest. */
  private readonly recent = new Map<string, { readonly at: readonly number[]; readonly pauseMs: number }>();

  constructor(private readonly monotonic: () => number) {}

  /** @param tookMs how long the scheduler was at it */
  planned(clusterId: string, tookMs: number): void {
    const at = [...(this.recent.get(clusterId)?.at ?? []), this.monotonic()].slice(-BURST);
    this.recent.set(clusterId, { at, pauseMs: Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, tookMs * PART)) });
  }

  /** Ms until the next plan; 0 or less: now. */
  pauseOf(clusterId: string): number {
    const recent = this.recent.get(clusterId);
    const [first] = recent?.at ?? [];
    const last = recent?.at.at(-1);
    if (recent === undefined || first === undefined || last === undefined || recent.at.length < BURST) return 0;
    const now = this.monotonic();
    return now - first > BURST * recent.pauseMs ? 0 : last + recent.pauseMs - now;
  }

  /** Of a cluster that is gone. */
  forget(clusterId: string): void {
    this.recent.delete(clusterId);
  }
}
