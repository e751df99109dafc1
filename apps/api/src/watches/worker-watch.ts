import { isRestarted, leaseVerdict, memberOf, type ClusterState } from '@systole/cluster';
import { LeaseAges, type Heartbeats, type LeaseReading, type Look, type NodeLease, type NodeLeases } from '@systole/control-plane';

/** How often it is looked, ms. */
export const WATCH_EVERY_MS = 1_000;
/** All leases are read so often at least, ms: a look in between reads those that were written since the one before. */
const ALL_EVERY_MS = 30_000;
/** Without a look for longer, ms, this process knows nothing of the time between: it begins anew. */
const LONGEST_GAP_MS = 5_000;
/** Workers beat every half second; one that is restarted, or waits for its database, is there again in less, ms. */
const LONGEST_SILENCE_MS = 15_000;
/** So long after its end a lease is judged at the latest by a worker that lives, ms: agents get 5 s of it after a time without any api. */
const JUDGED_WITHIN_MS = 15_000;

/** A lease that is over, of which no worker has said so. */
export interface LapsedLease {
  readonly node: string;
  /** Since its end, ms, at least: as long as this process has seen it. */
  readonly forMs: number;
}

/** A node whose lease, or the time after it, is waited for before anything is done. */
export interface LeaseWait {
  readonly node: string;
  /** For so long at most, ms. */
  readonly forMs: number;
  /** Its machine was started again: its new boot is let in then. Else its agent is given the time to stop its resources. */
  readonly restarted: boolean;
}

/** In which an agent that is there has answered a roll call: it hears of it with its next answer, which is given at once, ms. */
const ANSWERED_WITHIN_MS = 3_000;

/** A node that has not answered the newest roll call, and since when that was called. */
export interface UnheardNode {
  readonly node: string;
  readonly forMs: number;
}

/**
 * Whether anybody moves the clusters: a cluster that nobody looks at is at rest for ever, whatever becomes of its nodes. Judged by what this process sees
 * change, and by its own monotonic clock: dates tell nothing where clocks step.
 */
export class WorkerWatch {
  #beats: ReadonlyMap<string, number> = new Map();
  #ages = new LeaseAges();
  /** Of the newest reading of the leases. */
  #mark: string | undefined;
  /** When all leases were read, monotonic ms. */
  #allReadAt = Number.NEGATIVE_INFINITY;
  /** Leases that were over at the look before: each of them was found so by a reading of all. */
  #known: ReadonlySet<string> = new Set();
  /** The newest roll call, and since when it was seen, monotonic ms. */
  #rollCall: { readonly id: string; readonly since: number } | undefined;
  #longestOverMs = 0;
  #leastLeftMs: number | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #blindBecause: string | undefined;
  private readonly begunAt: number;

  constructor(
    private readonly workers: Pick<Heartbeats, 'all'>,
    private readonly leases: Pick<NodeLeases, 'since'>,
    private readonly monotonic: () => number,
  ) {
    this.begunAt = monotonic();
  }

  /** One look at what workers and leases have done since the one before: it costs what was written. @throws when the database is away */
  async look(): Promise<void> {
    const asked = this.monotonic();
    const anew = asked - this.#lookedAt > LONGEST_GAP_MS;
    const readsAll = anew || asked - this.#allReadAt >= ALL_EVERY_MS;
    const [workers, reading] = await Promise.all([this.workers.all(), this.leases.since(readsAll ? undefined : this.#mark)]);
    const answered = this.monotonic();
    if (anew) this.#ages = new LeaseAges();
    if (anew || workers.some(({ apiId, beats }) => this.#beats.get(apiId) !== beats)) this.#heardAt = answered;
    this.#beats = new Map(workers.map(({ apiId, beats }) => [apiId, beats]));
    this.#see(reading, { asked, answered });
    // Some may be gone of which nothing was written: so nothing is said of a lease before it was read again.
    if (
      !reading.isComplete &&
      (this.#ages.count !== reading.count || this.#ages.standingFor(answered, 1).some((lease) => !this.#known.has(nameOf(lease))))
    )
      this.#see(await this.leases.since(undefined), { asked, answered: this.monotonic() });
    const over = this.#ages.standingFor(answered, 1);
    this.#known = new Set(over.map(nameOf));
    this.#longestOverMs = over.reduce((longest, lease) => Math.max(longest, answered - this.#endOf(lease, answered)), 0);
    this.#leastLeftMs = this.#ages.leastLeft(answered);
    this.#lookedAt = asked;
    this.#blindBecause = undefined;
  }

  #see(reading: LeaseReading, look: Look): void {
    this.#ages.see(reading, look);
    this.#mark = reading.mark;
    if (reading.isComplete) this.#allReadAt = look.asked;
    const { id } = reading.rollCall;
    if (this.#rollCall?.id !== id) this.#rollCall = { id, since: look.answered };
  }

  /** Since the newest look that was answered was begun, or this process began, ms. */
  get sinceLookMs(): number {
    return this.monotonic() - Math.max(this.#lookedAt, this.begunAt);
  }

  /** A look was tried, and came to nothing. @param reason for people */
  couldNotLook(reason: string): void {
    this.#blindBecause = reason;
  }

  /** What the newest look came to nothing for; undefined also while it waits for its answer. */
  get blindBecause(): string | undefined {
    return this.#blindBecause;
  }

  /** For how long no worker was heard of, ms; undefined as long as that is no reason to worry, or nobody can tell. */
  silentForMs(): number | undefined {
    const silentMs = this.silenceMs();
    return silentMs > LONGEST_SILENCE_MS ? silentMs : undefined;
  }

  /** For how long this process could not look, ms, so that it knows nothing of workers and leases; undefined as long as it can. */
  blindForMs(): number | undefined {
    const forMs = this.sinceLookMs;
    return forMs > LONGEST_GAP_MS ? forMs : undefined;
  }

  /** Since a worker was last heard of, or this process began to listen, ms; 0 when nobody can tell. */
  silenceMs(): number {
    return this.#isBlind() ? 0 : this.monotonic() - this.#heardAt;
  }

  /** How many leases there are, in all clusters, as far as was seen. */
  get leaseCount(): number {
    return this.#ages.count;
  }

  /** How much the lease had left that was the nearest to its end at the newest look, ms; undefined when there is none, or nobody can tell. */
  leastLeftMs(): number | undefined {
    return this.#isBlind() ? undefined : this.#leastLeftMs;
  }

  /** How long the lease that is over for the longest has been so, in any cluster, ms; 0 when none is. */
  longestOverMs(): number {
    return this.#isBlind() ? 0 : this.#longestOverMs;
  }

  /**
   * The leases of a cluster that should have been declared lost by now.
   *
   * @param timeOfDay epoch ms, for rules
   */
  lapsed(state: ClusterState, leases: readonly NodeLease[], timeOfDay: number): readonly LapsedLease[] {
    if (this.#isBlind()) return [];
    const now = this.monotonic();
    return leases.flatMap((lease) => {
      const { node, incarnation } = lease;
      const member = memberOf(state, node);
      if (member?.membership !== 'joined' || member.incarnation !== incarnation) return [];
      const endedAt = this.#endOf(lease, now);
      const verdict = leaseVerdict(state, node, endedAt + JUDGED_WITHIN_MS, now, timeOfDay);
      return verdict.type === 'lost' ? [{ node, forMs: now - endedAt }] : [];
    });
  }

  /**
   * Which nodes count as members although they are gone for all that can be told: their leases are over and, without fencing, their agents get time to stop
   * their resources; or another boot of theirs asks to be let in, and waits for the lease of the one before, and that time.
   *
   * @param timeOfDay epoch ms, for rules
   */
  waits(state: ClusterState, leases: readonly NodeLease[], timeOfDay: number): readonly LeaseWait[] {
    if (this.#isBlind()) return [];
    const now = this.monotonic();
    return leases.flatMap((lease): readonly LeaseWait[] => {
      const { node, incarnation } = lease;
      const member = memberOf(state, node);
      if (member?.membership !== 'joined' || member.incarnation !== incarnation) return [];
      const endsAt = this.#endOf(lease, now);
      const restarted = isRestarted(member);
      const verdict = leaseVerdict(state, node, endsAt, now, timeOfDay);
      if (verdict.type === 'lost' || (verdict.type === 'held' && !restarted)) return [];
      const atItsEnd = leaseVerdict(state, node, endsAt, endsAt, timeOfDay);
      const until = atItsEnd.type === 'expired' ? atItsEnd.until : endsAt;
      return [{ node, forMs: until - now, restarted }];
    });
  }

  /**
   * Nodes that have not answered the newest roll call, though they had the time to: a worker that began with it does nothing in their cluster before they have, or their leases are over.
   */
  unheard(state: ClusterState, leases: readonly NodeLease[]): readonly UnheardNode[] {
    if (this.#isBlind() || this.#rollCall === undefined) return [];
    const { id, since } = this.#rollCall;
    const forMs = this.monotonic() - since;
    if (forMs < ANSWERED_WITHIN_MS) return [];
    return leases.flatMap(({ node, incarnation, answered }) => {
      const member = memberOf(state, node);
      const isJoined = member?.membership === 'joined' && member.incarnation === incarnation;
      return isJoined && answered !== undefined && answered !== id ? [{ node, forMs }] : [];
    });
  }

  /** When a lease is over unless it is renewed, monotonic ms; one that was not seen yet is new. */
  #endOf(lease: NodeLease, now: number): number {
    return (this.#ages.standingSince(lease) ?? now) + lease.leaseMs;
  }

  #isBlind(): boolean {
    return this.monotonic() - this.#lookedAt > LONGEST_GAP_MS;
  }
}

function nameOf({ clusterId, node, incarnation, renewal }: NodeLease): string {
  return `${clusterId}/${node}/${String(incarnation)}/${renewal}`;
}
