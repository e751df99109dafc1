import type { Clock } from '../ports/clock.js';

/** Since when plans are wanted. A plan that was overtaken leaves the want as it was: it is answered by the plan that stands. */
export class PlanWants {
  private readonly since = new Map<string, number>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** A plan is due, and nothing holds it back. Said again, it is still the same want. */
  begin(clusterId: string): void {
    if (!this.since.has(clusterId)) this.since.set(clusterId, this.clock.monotonic());
  }

  /** The want is answered. @returns for how long there was one, ms */
  end(clusterId: string): number {
    const now = this.clock.monotonic();
    const since = this.since.get(clusterId) ?? now;
    this.since.delete(clusterId);
    return now - since;
  }

  /** Of a cluster that is left alone, whyever: it is wanted anew later. */
  forget(clusterId: string): void {
    this.since.delete(clusterId);
  }
}
