import type { NodeLease } from '../ports/node-leases.js';
import type { Look } from './look.js';

interface Seen {
  readonly incarnation: number;
  readonly renewal: string;
  readonly since: number;
  /** It was made between two looks: `since` is when, and not only when this process began to look. */
  readonly fresh: boolean;
}

/** Since when the newest renewal of each lease stands, as this process saw it, by its own monotonic clock: no other clock has a say. */
export class LeaseAges {
  private seen: ReadonlyMap<string, Seen> | undefined;

  /**
   * @param leases all there are: others are forgotten
   * @returns the clusters of leases that were there at the look before and are gone
   */
  see(leases: readonly NodeLease[], { answered }: Look): ReadonlySet<string> {
    const before = this.seen;
    const seen = new Map<string, Seen>();
    for (const lease of leases) {
      const { incarnation, renewal } = lease;
      // A renewal was made before it was seen: counted from the answer, a lease is never too short.
      seen.set(nameOf(lease), this.known(lease) ?? { incarnation, renewal, since: answered, fresh: before !== undefined });
    }
    this.seen = seen;
    const vanished = new Set<string>();
    for (const name of before?.keys() ?? []) if (!seen.has(name)) vanished.add(clusterOf(name));
    return vanished;
  }

  /** Monotonic ms; undefined: this very renewal was not seen yet. */
  standingSince(lease: NodeLease): number | undefined {
    return this.known(lease)?.since;
  }

  /** Whether the newest renewal is known to have been made at most so many ms before `now`. */
  wasRenewedWithin(lease: NodeLease, ms: number, now: number): boolean {
    if (this.seen === undefined) return false;
    const known = this.known(lease);
    // It was made since the last look.
    if (known === undefined) return true;
    return known.fresh && now - known.since < ms;
  }

  private known(lease: NodeLease): Seen | undefined {
    const known = this.seen?.get(nameOf(lease));
    return known?.incarnation === lease.incarnation && known.renewal === lease.renewal ? known : undefined;
  }
}

/** Cluster ids hold no slash. */
function nameOf({ clusterId, node }: NodeLease): string {
  return `${clusterId}/${node}`;
}

function clusterOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}
