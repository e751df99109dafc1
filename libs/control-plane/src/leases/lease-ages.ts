import type { NodeLease } from '../ports/node-leases.js';
import type { Look } from './look.js';

/** Since when the newest renewal of each lease stands, as this process saw it, by its own monotonic clock: no other clock has a say. */
export class LeaseAges {
  private seen: ReadonlyMap<string, { readonly incarnation: number; readonly renewal: string; readonly since: number }> = new Map();

  /** @param leases all there are: others are forgotten */
  see(leases: readonly NodeLease[], { answered }: Look): void {
    this.seen = new Map(
      leases.map((lease) => [
        nameOf(lease),
        // A renewal was made before it was seen: counted from the answer, a lease is never too short.
        { incarnation: lease.incarnation, renewal: lease.renewal, since: this.standingSince(lease) ?? answered },
      ]),
    );
  }

  /** Monotonic ms; undefined: this very renewal was not seen yet. */
  standingSince(lease: NodeLease): number | undefined {
    const known = this.seen.get(nameOf(lease));
    return known?.incarnation === lease.incarnation && known.renewal === lease.renewal ? known.since : undefined;
  }
}

/** Cluster ids hold no slash. */
function nameOf({ clusterId, node }: NodeLease): string {
  return `${clusterId}/${node}`;
}
