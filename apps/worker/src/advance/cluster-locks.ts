import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTION_LIMITS } from '@systole/event-store';
import pg from 'pg';

const RETRY_MS = 100;

const TAKE = `
INSERT INTO cluster_claims AS claim (cluster_id, holder) VALUES ($1, $2)
ON CONFLICT (cluster_id) DO UPDATE SET holder = excluded.holder, renewals = 0
WHERE claim.holder = $3 AND claim.renewals = $4`;
const LOOK = 'SELECT holder, renewals FROM cluster_claims WHERE cluster_id = $1';
const RENEW = 'UPDATE cluster_claims SET renewals = renewals + 1 WHERE cluster_id = ANY($1) AND holder = ANY($2) RETURNING holder';
const RELEASE = 'DELETE FROM cluster_claims WHERE cluster_id = $1 AND holder = $2';

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

/** The right to move one cluster, for as long as `signal` has not aborted. */
export interface ClusterLock {
  readonly signal: AbortSignal;
  release(): Promise<void>;
}

/** A claim of this worker's. */
interface Held {
  readonly clusterId: string;
  /** Of this one claim, so that a later one of the same worker is not taken for it. */
  readonly holder: string;
  readonly lost: AbortController;
  expiry: NodeJS.Timeout;
}

interface ClaimRow {
  readonly holder: string;
  /** A bigint, as text. */
  readonly renewals: string;
}

/** A claim of another's, and since when it has not moved, by this process's monotonic clock. */
interface Sighting extends ClaimRow {
  readonly since: number;
}

/**
 * The claims of one worker on clusters: rows that it renews every second on connections of their own. Whoever finds a claim unmoved for some seconds takes
 * it over, so that a worker that is frozen or cut off holds up nobody, though its connection lives on. No two clocks are compared: the holder counts
 * from when it sent its last renewal, the other from when it first saw it. A claim saves double work; that nothing is decided twice is ensured by the
 * expected versions of the events.
 */
export class ClusterLocks {
  private readonly pool: pg.Pool;
  private readonly taking = new Set<string>();
  private readonly held = new Map<string, Held>();
  private readonly sightings = new Map<string, Sighting>();
  private readonly renewing: NodeJS.Timeout;

  constructor(
    databaseUrl: string,
    private readonly timing: ClaimTiming = CLAIM_TIMING,
  ) {
    this.pool = new pg.Pool({
      ...CONNECTION_LIMITS,
      connectionString: databaseUrl,
      application_name: 'systole worker locks',
      max: 3,
      keepAlive: true,
      // What takes longer than a claim is good for is of no use; the next try has a new connection.
      connectionTimeoutMillis: timing.goodForMs,
      query_timeout: timing.goodForMs,
      statement_timeout: timing.goodForMs,
    });
    this.pool.on('error', () => undefined);
    this.renewing = setInterval(() => void this.renew(), timing.renewEveryMs);
    this.renewing.unref();
  }

  /**
   * @param patienceMs how long to wait for another worker; longer while that one seems to have vanished, until its claim can be taken over
   * @throws ClusterBusy when it has not let go by then
   */
  async acquire(clusterId: string, patienceMs: number): Promise<ClusterLock> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const lock = await this.tryAcquire(clusterId);
      if (lock) return lock;
      if (performance.now() >= deadline && this.unmovedMs(clusterId) < 2 * this.timing.renewEveryMs) throw new ClusterBusy(clusterId);
      await sleep(RETRY_MS);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.renewing);
    this.lose([...this.held.values()], 'the worker is closing');
    await this.pool.end();
  }

  private async tryAcquire(clusterId: string): Promise<ClusterLock | undefined> {
    // This process keeps itself out.
    if (this.held.has(clusterId) || this.taking.has(clusterId)) return undefined;
    this.taking.add(clusterId);
    try {
      const stale = this.unmovedMs(clusterId) >= this.timing.takeOverAfterMs ? this.sightings.get(clusterId) : undefined;
      const holder = randomUUID();
      const sentAt = performance.now();
      const { rowCount } = await this.pool.query(TAKE, [clusterId, holder, stale?.holder ?? null, stale?.renewals ?? null]);
      if (rowCount === 1) {
        this.sightings.delete(clusterId);
        return this.hold(clusterId, holder, sentAt);
      }
      const { rows } = await this.pool.query<ClaimRow>(LOOK, [clusterId]);
      this.sight(clusterId, rows[0]);
      return undefined;
    } finally {
      this.taking.delete(clusterId);
    }
  }

  private hold(clusterId: string, holder: string, sentAt: number): ClusterLock {
    const lost = new AbortController();
    const held: Held = { clusterId, holder, lost, expiry: this.expiryOf(() => held, sentAt) };
    this.held.set(clusterId, held);
    return { signal: lost.signal, release: () => this.release(held) };
  }

  private expiryOf(held: () => Held, sentAt: number): NodeJS.Timeout {
    const leftMs = Math.max(0, sentAt + this.timing.goodForMs - performance.now());
    return setTimeout(() => {
      this.lose([held()], 'the claim on the cluster could not be renewed in time');
    }, leftMs).unref();
  }

  private async release(held: Held): Promise<void> {
    clearTimeout(held.expiry);
    try {
      // Also a claim that was lost: its row may still be there, in the way of others.
      await this.pool.query(RELEASE, [held.clusterId, held.holder]);
    } catch {
      // Nobody renews it any more, so that others take it over.
    } finally {
      this.forget(held);
    }
  }

  private async renew(): Promise<void> {
    const due = [...this.held.values()].filter(({ lost }) => !lost.signal.aborted);
    if (due.length === 0) return;
    const sentAt = performance.now();
    try {
      const { rows } = await this.pool.query<{ holder: string }>(RENEW, [
        due.map(({ clusterId }) => clusterId),
        due.map(({ holder }) => holder),
      ]);
      const renewed = new Set(rows.map(({ holder }) => holder));
      this.lose(
        due.filter(({ holder }) => !renewed.has(holder)),
        'another worker took the cluster over',
      );
      for (const held of due) {
        if (this.held.get(held.clusterId) !== held || held.lost.signal.aborted) continue;
        clearTimeout(held.expiry);
        held.expiry = this.expiryOf(() => held, sentAt);
      }
    } catch {
      // The next round tries again, as long as the claims are good.
    }
  }

  /** Its holder stops; the cluster stays closed to this process until it has let go. */
  private lose(claims: readonly Held[], reason: string): void {
    for (const { expiry, lost, clusterId, holder } of claims) {
      clearTimeout(expiry);
      if (this.held.get(clusterId)?.holder === holder) lost.abort(new Error(reason));
    }
  }

  private forget({ clusterId, holder }: Held): void {
    if (this.held.get(clusterId)?.holder === holder) this.held.delete(clusterId);
  }

  private sight(clusterId: string, row: ClaimRow | undefined): void {
    const known = this.sightings.get(clusterId);
    if (!row) this.sightings.delete(clusterId);
    else if (known?.holder !== row.holder || known.renewals !== row.renewals) {
      this.sightings.set(clusterId, { holder: row.holder, renewals: row.renewals, since: performance.now() });
    }
  }

  private unmovedMs(clusterId: string): number {
    const sighting = this.sightings.get(clusterId);
    return sighting ? performance.now() - sighting.since : 0;
  }
}
