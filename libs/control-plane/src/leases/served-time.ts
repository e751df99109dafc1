import { LONGEST_SILENCE_MS } from '../ports/heartbeats.js';
import type { ServedSpan } from './service-span.js';

/** An agent that finds no api tries again at least so often, ms (the longest pause of its back-off). */
export const AGENT_PAUSE_MS = 5_000;

/**
 * Sums up the time in which agents could report, ms by this process's monotonic clock: none while no api was there, nor while this process did not look, nor
 * in the pause after either, in which agents find back. What an agent did not say says something about it only in that time.
 */
export class ServedTime {
  private summed = 0;
  private summedTo = Number.NEGATIVE_INFINITY;
  /** From when on it goes on; undefined while no api is there. */
  private next: number | undefined;

  /** @param span since when apis were there, as this process saw it without a break, and until when that is known; undefined when none is */
  see(span: ServedSpan | undefined): void {
    if (span === undefined) {
      this.next = undefined;
      return;
    }
    const from = Math.max(span.since + AGENT_PAUSE_MS, this.summedTo);
    if (span.until > from) {
      this.summed += span.until - from;
      this.summedTo = span.until;
    }
    this.next = Math.max(from, this.summedTo);
  }

  /** What is known of it so far. It runs late, and never ahead. */
  get ms(): number {
    return this.summed;
  }

  /** The most that it may turn out to have been at a moment that has come: whoever counts from there never counts what was before. */
  atMost(now: number): number {
    return this.summed + (this.next === undefined ? 0 : Math.max(0, Math.min(now - this.next, 2 * LONGEST_SILENCE_MS)));
  }
}
