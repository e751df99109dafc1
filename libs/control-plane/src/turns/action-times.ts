import type { ServedTime } from '../leases/served-time.js';

/** For how long agents have had what was handed out to them, by this process's own sight, and as far as they could report. */
export class ActionTimes {
  private readonly ofTransitions = new Map<string, { readonly transition: number; readonly firstSeen: Map<string, number> }>();

  constructor(
    private readonly served: Pick<ServedTime, 'ms' | 'atMost'>,
    private readonly monotonic: () => number,
  ) {}

  /**
   * The time since this process first saw something of a transition, in which agents could report ({@link ServedTime}), whatever anybody dated it: whoever
   * has just started waits from the beginning. What was seen of other transitions is forgotten.
   *
   * @returns ms, never more than has passed
   */
  sinceSeen(clusterId: string, transition: number, cause: string): number {
    let seen = this.ofTransitions.get(clusterId);
    if (seen?.transition !== transition) {
      seen = { transition, firstSeen: new Map() };
      this.ofTransitions.set(clusterId, seen);
    }
    const firstSeen = seen.firstSeen.get(cause) ?? this.served.atMost(this.monotonic());
    seen.firstSeen.set(cause, firstSeen);
    return Math.max(0, this.served.ms - firstSeen);
  }

  /** Of a cluster that is gone. */
  forget(clusterId: string): void {
    this.ofTransitions.delete(clusterId);
  }
}
