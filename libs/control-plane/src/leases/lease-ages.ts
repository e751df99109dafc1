import type { LeaseReading, NodeLease } from '../ports/node-leases.js';
import type { Look } from './look.js';

interface Seen {
  readonly lease: NodeLease;
  readonly since: number;
  /** It was made between two looks since the present watch began: `since` is when, and not only when somebody began to look. */
  readonly fresh: boolean;
  /** Its node has answered a roll call of the present watch. */
  readonly heard: boolean;
}

/**
 * Since when the newest renewal of each lease stands, as this process saw it, by its own monotonic clock: no other clock has a say. What was seen before a break in the
 * watch says nothing of the time after it: the database may be another one by then.
 */
export class LeaseAges {
  /** Those whose renewals stand longest first. */
  private seen = new Map<string, Seen>();
  /** Whether a look was made since the present watch began. */
  private begun = false;
  /** Ids of the roll calls of the present watch, and of those that others called since. */
  private rollCalls: ReadonlySet<string> = new Set();
  /** None is shorter, ms. */
  private shortestMs = Number.POSITIVE_INFINITY;

  /** How many leases there are, as far as was seen. */
  get count(): number {
    return this.seen.size;
  }

  /** A watch begins after a break: nobody was heard of in it yet. Costs what there is. */
  beginAnew(): void {
    this.rollCalls = new Set();
    if (!this.begun) return;
    this.begun = false;
    for (const [name, seen] of this.seen) if (seen.fresh || seen.heard) this.seen.set(name, { ...seen, fresh: false, heard: false });
  }

  /** Whoever answers this roll call is heard of. */
  called(rollCall: string): void {
    if (!this.rollCalls.has(rollCall)) this.rollCalls = new Set([...this.rollCalls, rollCall]);
  }

  /**
   * Costs what was read.
   *
   * @returns the clusters of leases that were there at the look before and are gone; those can be told only when all were read
   */
  see({ leases, isComplete }: Pick<LeaseReading, 'leases' | 'isComplete'>, { answered }: Look): ReadonlySet<string> {
    const { seen, begun: fresh } = this;
    this.begun = true;
    if (isComplete) this.shortestMs = Number.POSITIVE_INFINITY;
    for (const lease of leases) {
      const name = nameOf(lease);
      const before = seen.get(name);
      const known = this.known(lease);
      if (known === undefined) seen.delete(name);
      // Once in a watch is enough: a later renewal takes nothing back.
      const heard = (before?.lease.incarnation === lease.incarnation && before.heard) || this.answers(lease, known?.fresh ?? fresh);
      // A renewal was made before it was seen: counted from the answer, a lease is never too short.
      seen.set(name, known === undefined ? { lease, since: answered, fresh, heard } : { ...known, lease, heard });
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

  /**
   * Those whose newest renewal stands for such a share of their length or longer, that for the longest first; costs what stands for that share of the shortest length.
   *
   * @param now monotonic ms
   */
  standingFor(now: number, share: number): readonly NodeLease[] {
    const found: NodeLease[] = [];
    for (const { lease, since } of this.seen.values()) {
      if (since + this.shortestMs * share > now) break;
      if (since + lease.leaseMs * share <= now) found.push(lease);
    }
    return found;
  }

  /** How much is left of the lease that is the nearest to its end, ms, negative when that is over; undefined: there is none. Costs what could be nearer than the first. */
  leastLeft(now: number): number | undefined {
    let least: number | undefined;
    for (const { lease, since } of this.seen.values()) {
      // The others were renewed later.
      if (least !== undefined && since + this.shortestMs - now >= least) break;
      const left = since + lease.leaseMs - now;
      if (least === undefined || left < least) least = left;
    }
    return least;
  }

  /** Monotonic ms; undefined: this very renewal was not seen yet. */
  standingSince(lease: NodeLease): number | undefined {
    return this.known(lease)?.since;
  }

  /** Whether its node has answered a roll call of the present watch, with this renewal or one before it. */
  wasHeard(lease: NodeLease): boolean {
    if (!this.begun) return false;
    const seen = this.seen.get(nameOf(lease));
    // One that was not seen yet was made since the last look.
    return (seen?.lease.incarnation === lease.incarnation && seen.heard) || this.answers(lease, this.known(lease)?.fresh ?? true);
  }

  /** Whether the newest renewal is known to have been made since the present watch began, and at most so many ms before `now`. */
  wasRenewedWithin(lease: NodeLease, ms: number, now: number): boolean {
    if (!this.begun) return false;
    const known = this.known(lease);
    return known === undefined || (known.fresh && now - known.since < ms);
  }

  private answers({ answered }: NodeLease, fresh: boolean): boolean {
    return answered === undefined ? fresh : this.rollCalls.has(answered);
  }

  private known(lease: NodeLease): Seen | undefined {
    const known = this.seen.get(nameOf(lease));
    return known?.lease.incarnation === lease.incarnation && known.lease.renewal === lease.renewal ? known : undefined;
  }
}

/** Cluster ids hold no slash. */
function nameOf({ clusterId, node }: NodeLease): string {
  return `${clusterId}/${node}`;
}
