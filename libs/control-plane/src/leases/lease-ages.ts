import type { LeaseReading, NodeLease } from '../ports/node-leases.js';
import type { Look } from './look.js';

interface Seen {
  readonly lease: NodeLease;
  readonly since: number;
  /** It was made between two looks: `since` is when, and not only when this process began to look. */
  readonly fresh: boolean;
}

/** Since when the newest renewal of each lease stands, as this process saw it, by its own monotonic clock: no other clock has a say. */
export class LeaseAges {
  /** Those whose renewals stand longest first. */
  private seen: Map<string, Seen> | undefined;
  /** None is shorter, ms. */
  private shortestMs = Number.POSITIVE_INFINITY;

  /** How many leases there are, as far as was seen. */
  get count(): number {
    return this.seen?.size ?? 0;
  }

  /**
   * Costs what was read.
   *
   * @returns the clusters of leases that were there at the look before and are gone; those can be told only when all were read
   */
  see({ leases, isComplete }: Pick<LeaseReading, 'leases' | 'isComplete'>, { answered }: Look): ReadonlySet<string> {
    const fresh = this.seen !== undefined;
    const seen = (this.seen ??= new Map<string, Seen>());
    if (isComplete) this.shortestMs = Number.POSITIVE_INFINITY;
    for (const lease of leases) {
      const name = nameOf(lease);
      const known = this.known(lease);
      if (known === undefined) seen.delete(name);
      // A renewal was made before it was seen: counted from the answer, a lease is never too short.
      seen.set(name, known === undefined ? { lease, since: answered, fresh } : { ...known, lease });
      this.shortestMs = Math.min(this.shortestMs, lease.leaseMs);
    }
    const vanished = new Set<string>();
    if (!isComplete || leases.length === seen.size) return vanished;
    const there = new Set(leases.map(nameOf));
    for (const [name, { lease }] of seen) {
      if (there.has(name)) continue;
      seen.delete(name);
      vanished.add(lease.clusterId);
    }
    return vanished;
  }

  /** Those whose newest renewal stands for their length or longer; costs what stands for the shortest length. @param now monotonic ms */
  outlived(now: number): readonly NodeLease[] {
    const found: NodeLease[] = [];
    for (const { lease, since } of this.seen?.values() ?? []) {
      if (since + this.shortestMs > now) break;
      if (since + lease.leaseMs <= now) found.push(lease);
    }
    return found;
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
    return known?.lease.incarnation === lease.incarnation && known.lease.renewal === lease.renewal ? known : undefined;
  }
}

/** Cluster ids hold no slash. */
function nameOf({ clusterId, node }: NodeLease): string {
  return `${clusterId}/${node}`;
}
