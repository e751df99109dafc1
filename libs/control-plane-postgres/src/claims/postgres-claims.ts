import { CLAIM_TIMING, type ClusterClaim, type ClusterClaims } from '@systole/control-plane';
import { Batch, CONNECTION_LIMITS } from '@systole/event-store';
import pg from 'pg';
import type { KeptInstallation } from '../installation/kept-installation.js';

/** $1 clusters, $2 holders: those at one place belong together. What several statements lock at once all lock in one order. */
const TAKE = `
INSERT INTO cluster_claims (cluster_id, holder)
SELECT asked.cluster_id, asked.holder FROM unnest($1::text[], $2::text[]) AS asked (cluster_id, holder) ORDER BY asked.cluster_id
ON CONFLICT (cluster_id) DO NOTHING
RETURNING holder`;
/** $1 cluster, $2 holder; $3 the holder and $4 the renewals of the claim that is taken over. */
const TAKE_OVER = `
INSERT INTO cluster_claims AS claim (cluster_id, holder) VALUES ($1, $2)
ON CONFLICT (cluster_id) DO UPDATE SET holder = excluded.holder, renewals = 0
WHERE claim.holder = $3 AND claim.renewals = $4`;
const LOOK = 'SELECT holder, renewals FROM cluster_claims WHERE cluster_id = $1';
/** $1 clusters, $2 holders. */
const HELD = `
SELECT cluster_id, holder FROM cluster_claims WHERE cluster_id = ANY ($1) AND holder = ANY ($2) ORDER BY cluster_id FOR UPDATE`;
const RENEW = `
WITH held AS (${HELD})
UPDATE cluster_claims AS claim SET renewals = claim.renewals + 1 FROM held
WHERE (claim.cluster_id, claim.holder) = (held.cluster_id, held.holder)
RETURNING claim.holder`;
const RELEASE = `
WITH held AS (${HELD})
DELETE FROM cluster_claims AS claim USING held WHERE (claim.cluster_id, claim.holder) = (held.cluster_id, held.holder)`;

/** Most claims that are taken, or let go of, in one statement. */
const MOST_CLAIMS = 200;

/** A claim of this process's. */
interface OwnClaim {
  readonly clusterId: string;
  readonly holder: string;
}

/** The table `cluster_claims`, on connections of its own, so that no other work of the process holds up a renewal. */
export class PostgresClaims implements ClusterClaims {
  private readonly pool: pg.Pool;
  /** Together: where there are many small clusters, many begin and end at once. */
  readonly #takes = new Batch((claims: readonly OwnClaim[]) => this.#takeAll(claims), MOST_CLAIMS);
  readonly #releases = new Batch((claims: readonly OwnClaim[]) => this.#releaseAll(claims), MOST_CLAIMS);

  /** @param kept to which the database has to belong */
  constructor(databaseUrl: string, kept?: KeptInstallation) {
    // What takes longer than a claim is good for is of no use; the next try has a new connection.
    const patienceMs = CLAIM_TIMING.goodForMs;
    this.pool = new pg.Pool({
      ...CONNECTION_LIMITS,
      connectionString: databaseUrl,
      application_name: 'systole worker locks',
      // One renews while another waits for a row.
      max: 2,
      keepAlive: true,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      statement_timeout: patienceMs,
    });
    this.pool.on('error', () => undefined);
    kept?.keep(this.pool);
  }

  async take(clusterId: string, holder: string, stale?: ClusterClaim): Promise<boolean> {
    if (stale === undefined) return this.#takes.add({ clusterId, holder });
    const values = [clusterId, holder, stale.holder, stale.renewals];
    const { rowCount } = await this.pool.query({ name: 'systole-take-over-claim', text: TAKE_OVER, values });
    return rowCount === 1;
  }

  async look(clusterId: string): Promise<ClusterClaim | undefined> {
    // The counter is a bigint, which comes as text.
    const { rows } = await this.pool.query<ClusterClaim>({ name: 'systole-look-at-claim', text: LOOK, values: [clusterId] });
    return rows[0];
  }

  async renew(claims: readonly OwnClaim[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ holder: string }>({ name: 'systole-renew-claims', text: RENEW, values: valuesOf(claims) });
    return rows.map(({ holder }) => holder);
  }

  async release(clusterId: string, holder: string): Promise<void> {
    await this.#releases.add({ clusterId, holder });
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  async #takeAll(claims: readonly OwnClaim[]): Promise<readonly boolean[]> {
    const { rows } = await this.pool.query<{ holder: string }>({ name: 'systole-take-claims', text: TAKE, values: valuesOf(claims) });
    const taken = new Set(rows.map(({ holder }) => holder));
    return claims.map(({ holder }) => taken.has(holder));
  }

  async #releaseAll(claims: readonly OwnClaim[]): Promise<readonly undefined[]> {
    await this.pool.query({ name: 'systole-release-claims', text: RELEASE, values: valuesOf(claims) });
    return claims.map(() => undefined);
  }
}

function valuesOf(claims: readonly OwnClaim[]): [clusterIds: string[], holders: string[]] {
  return [claims.map(({ clusterId }) => clusterId), claims.map(({ holder }) => holder)];
}
