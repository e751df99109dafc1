import type { Chance, Clock } from '../ports/clock.js';
import type { ClusterClaim, ClusterClaims } from '../ports/cluster-claims.js';
import { pause } from '../time/pause.js';

const RETRY_MS = 100;

/** Of the claims, ms, each by the monotonic clock of whoever counts. */
export interface ClaimTiming {
  readonly renewEveryMs: number;
  /** How long a claim is good after its last renewal was sent. */
  readonly goodForMs: number;
  /** How long another worker must have seen it unmoved; more than `goodForMs`, so that its holder has stopped by then. */
  readonly takeOverAfterMs: number;
}

export const CLAIM_TIMING: ClaimTiming = { renewEveryMs: 1_000, goodForMs: 3_000, takeOverAfterMs: 4_000 };

/** Another worker moves the cluster. The job is tried again later. */
export class ClusterBusy extends Error {
  override readonly name = 'ClusterBusy';
  constructor(clusterId: string) {
    super(`another worker is advancing cluster ${clusterId}`);
  }
}

/** This worker has lost its claim on the cluster, or lets go of it. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** The right to move one cluster, for as long as `signal` has not aborted. */
export interface ClusterLock {
  readonly signal: AbortSignal;
  /**
   * Asked right before acting: whoever was frozen may run on before its timers do.
   * @throws the reason for which the claim is lost
   */
  assertHeld(): void;
  release(): Promise<void>;
}

/** A claim of this worker's. */
interface Held {
  readonly clusterId: string;
  /** Of this one claim, so that a later one of the same worker is not taken for it. */
  readonly holder: string;
  readonly lost: AbortController;
  /** By the monotonic clock. */
  goodUntil: number;
  cancelExpiry: () => void;
}

/** A claim of another's, and since when it has not moved, by this process's monotonic clock. */
interface Sighting extends ClusterClaim {
  readonly since: number;
}

/**
 * The claims of one worker on clusters: rows that it renews every second. Whoever finds a claim unmoved for some seconds takes
 * it over, so that a worker that is frozen or cut off holds up nobody, though its connection lives on. No two clocks are compared: the holder counts
 * from when it sent its last renewal, the other from when it first saw it. A claim saves double work; that nothing is decided twice is ensured by the
 * expected versions of the events.
 */
export class ClusterLocks {
  private readonly taking = new Set<string>();
  private readonly held = new Map<string, Held>();
  private readonly sightings = new Map<string, Sighting>();
  private cancelRenewal: () => void = () => undefined;
  private closed = false;

  constructor(
    private readonly claims: ClusterClaims,
    private readonly clock: Clock,
    private readonly chance: Chance,
    private readonly timing: ClaimTiming = CLAIM_TIMING,
  ) {
    this.renewLater();
  }

  /**
   * @param patienceMs how long to wait for another worker; longer while that one seems to have vanished, until its claim can be taken over
   * @throws ClusterBusy when it has not let go by then
   */
  async acquire(clusterId: string, patienceMs: number): Promise<ClusterLock> {
    const deadline = this.clock.monotonic() + patienceMs;
    for (;;) {
      const lock = await this.tryAcquire(clusterId);
      if (lock) return lock;
      if (this.clock.monotonic() >= deadline && this.unmovedMs(clusterId) < 2 * this.timing.renewEveryMs) throw new ClusterBusy(clusterId);
      await pause(this.clock, RETRY_MS);
    }
  }

  /** Lets go of everything; what is still at work is interrupted. */
  close(): void {
    this.closed = true;
    this.cancelRenewal();
    this.lose([...this.held.values()], 'the worker is closing');
  }

  private async tryAcquire(clusterId: string): Promise<ClusterLock | undefined> {
    // This process keeps itself out.
    if (this.held.has(clusterId) || this.taking.has(clusterId)) return undefined;
    this.taking.add(clusterId);
    try {
      const stale = this.unmovedMs(clusterId) >= this.timing.takeOverAfterMs ? this.sightings.get(clusterId) : undefined;
      const holder = this.chance.uuid();
      const sentAt = this.clock.monotonic();
      if (await this.claims.take(clusterId, holder, stale)) {
        this.sightings.delete(clusterId);
        return this.hold(clusterId, holder, sentAt);
      }
      this.sight(clusterId, await this.claims.look(clusterId));
      return undefined;
    } finally {
      this.taking.delete(clusterId);
    }
  }

  private hold(clusterId: string, holder: string, sentAt: number): ClusterLock {
    const lost = new AbortController();
    const held: Held = { clusterId, holder, lost, goodUntil: 0, cancelExpiry: () => undefined };
    this.held.set(clusterId, held);
    this.extend(held, sentAt);
    return {
      signal: lost.signal,
      assertHeld: () => {
        if (this.clock.monotonic() >= held.goodUntil) this.expire(held);
        lost.signal.throwIfAborted();
      },
      release: () => this.release(held),
    };
  }

  private extend(held: Held, sentAt: number): void {
    held.cancelExpiry();
    held.goodUntil = sentAt + this.timing.goodForMs;
    held.cancelExpiry = this.clock.after(Math.max(0, held.goodUntil - this.clock.monotonic()), () => {
      this.expire(held);
    });
  }

  private expire(held: Held): void {
    this.lose([held], 'the claim on the cluster could not be renewed in time');
  }

  private async release(held: Held): Promise<void> {
    held.cancelExpiry();
    try {
      // Also a claim that was lost: its row may still be there, in the way of others.
      await this.claims.release(held.clusterId, held.holder);
    } catch {
      // Nobody renews it any more, so that others take it over.
    } finally {
      if (this.held.get(held.clusterId) === held) this.held.delete(held.clusterId);
    }
  }

  private renewLater(): void {
    this.cancelRenewal = this.clock.after(this.timing.renewEveryMs, () => {
      // The next round is due whether or not this one is answered.
      this.renewLater();
      void this.renew();
    });
  }

  private async renew(): Promise<void> {
    const due = [...this.held.values()].filter(({ lost }) => !lost.signal.aborted);
    if (due.length === 0) return;
    const sentAt = this.clock.monotonic();
    try {
      const renewed = new Set(await this.claims.renew(due.map(({ clusterId, holder }) => ({ clusterId, holder }))));
      this.lose(
        due.filter(({ holder }) => !renewed.has(holder)),
        'another worker took the cluster over',
      );
      for (const held of due) {
        if (this.closed || this.held.get(held.clusterId) !== held || held.lost.signal.aborted) continue;
        if (sentAt + this.timing.goodForMs > held.goodUntil) this.extend(held, sentAt);
      }
    } catch {
      // The next round tries again, as long as the claims are good.
    }
  }

  /** Its holder stops; the cluster stays closed to this process until it has let go. */
  private lose(claims: readonly Held[], reason: string): void {
    for (const { cancelExpiry, lost } of claims) {
      cancelExpiry();
      lost.abort(new ClaimLost(reason));
    }
  }

  private sight(clusterId: string, claim: ClusterClaim | undefined): void {
    const known = this.sightings.get(clusterId);
    if (!claim) this.sightings.delete(clusterId);
    else if (known?.holder !== claim.holder || known.renewals !== claim.renewals) {
      this.sightings.set(clusterId, { ...claim, since: this.clock.monotonic() });
    }
  }

  private unmovedMs(clusterId: string): number {
    const sighting = this.sightings.get(clusterId);
    return sighting ? this.clock.monotonic() - sighting.since : 0;
  }
}
