import { CLAIM_TIMING, type ClusterClaim, type ClusterClaims } from '@systole/control-plane';
import { CONNECTION_LIMITS } from '@systole/event-store';
import pg from 'pg';
import type { KeptInstallation } from '../installation/kept-installation.js';

const TAKE = `
INSERT INTO cluster_claims AS claim (cluster_id, holder) VALUES ($1, $2)
ON CONFLICT (cluster_id) DO UPDATE SET holder = excluded.holder, renewals = 0
WHERE claim.holder = $3 AND claim.renewals = $4`;
const LOOK = 'SELECT holder, renewals FROM cluster_claims WHERE cluster_id = $1';
const RENEW = 'UPDATE cluster_claims SET renewals = renewals + 1 WHERE cluster_id = ANY($1) AND holder = ANY($2) RETURNING holder';
const RELEASE = 'DELETE FROM cluster_claims WHERE cluster_id = $1 AND holder = $2';

/** The table `cluster_claims`, on connections of its own, so that no other work of the process holds up a renewal. */
export class PostgresClaims implements ClusterClaims {
  private readonly pool: pg.Pool;

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
    const { rowCount } = await this.pool.query(TAKE, [clusterId, holder, stale?.holder ?? null, stale?.renewals ?? null]);
    return rowCount === 1;
  }

  async look(clusterId: string): Promise<ClusterClaim | undefined> {
    // The counter is a bigint, which comes as text.
    const { rows } = await this.pool.query<ClusterClaim>(LOOK, [clusterId]);
    return rows[0];
  }

  async renew(claims: readonly { readonly clusterId: string; readonly holder: string }[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ holder: string }>(RENEW, [
      claims.map(({ clusterId }) => clusterId),
      claims.map(({ holder }) => holder),
    ]);
    return rows.map(({ holder }) => holder);
  }

  async release(clusterId: string, holder: string): Promise<void> {
    await this.pool.query(RELEASE, [clusterId, holder]);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
