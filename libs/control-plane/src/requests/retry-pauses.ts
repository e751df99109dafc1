import type { Clock } from '../ports/clock.js';

const LONGEST_MS = 60_000;

interface Failing {
  readonly tries: number;
  /** By the monotonic clock. */
  readonly nextAt: number;
}

/** When clusters that could not be moved are tried again: after 2, 4, 8 … s, at most 60 s, but no sooner than the try itself had taken. */
export class RetryPauses {
  private readonly failing = new Map<string, Failing>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** In how many ms the cluster may be tried again; 0: at once. */
  pauseOf(clusterId: string): number {
    return Math.max(0, (this.failing.get(clusterId)?.nextAt ?? 0) - this.clock.monotonic());
  }

  /**
   * @param tookMs how long the try took
   * @returns takes it back: it said nothing about the cluster
   */
  failed(clusterId: string, tookMs: number): () => void {
    const before = this.failing.get(clusterId);
    const tries = (before?.tries ?? 0) + 1;
    const pauseMs = Math.min(LONGEST_MS, Math.max(1_000 * 2 ** Math.min(tries, 10), tookMs));
    this.failing.set(clusterId, { tries, nextAt: this.clock.monotonic() + pauseMs });
    return () => {
      if (before === undefined) this.failing.delete(clusterId);
      else this.failing.set(clusterId, before);
    };
  }

  /** @returns whether it had failed before */
  succeeded(clusterId: string): boolean {
    return this.failing.delete(clusterId);
  }
}
