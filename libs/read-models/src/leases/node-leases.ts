import type { ClientBase, Pool } from 'pg';
import { Batch } from '../postgres/batch.js';
import { holdStreamAt } from '../postgres/stream-hold.js';
import { inTransaction } from '../postgres/transaction.js';

/** A lease that is granted at the moment. Times are the database's clock, ISO 8601: for people, for that clock may step. */
export interface NodeLease {
  readonly clusterId: string;
  readonly node: string;
  readonly incarnation: number;
  readonly leaseMs: number;
  readonly expiresAt: string;
  readonly renewedAt: string;
  /** Names the newest renewal: another one after each. A lease is over when this has stood still for its length, by the clock of whoever looks. */
  readonly renewal: string;
}

interface Renewal {
  readonly clusterId: string;
  readonly node: string;
  readonly incarnation: number;
}

/** Most renewals in one statement. */
const MOST_RENEWALS = 500;

/** A lease to be granted. */
export interface NewLease {
  readonly clusterId: string;
  readonly node: string;
  readonly incarnation: number;
  readonly tokenId: string;
  readonly leaseMs: number;
}

interface Row {
  readonly cluster_id: string;
  readonly node: string;
  readonly incarnation: number;
  readonly lease_ms: number;
  readonly expires_at: Date;
  readonly renewed_at: Date;
  readonly renewal: string;
}

/** The counter tells renewals apart. The time stands beside it for an api of a version before the counter, which moves only that: it is compared, never ordered. */
const RENEWAL = `renewals::text || '/' || extract(epoch FROM expires_at)::text`;

const COLUMNS = `cluster_id, node, incarnation, lease_ms, expires_at, renewed_at, ${RENEWAL} AS renewal`;

/** $1 cluster, $2 node, $3 incarnation, $4 token, $5 ms. An older incarnation never takes the lease back. */
const GRANT = `
INSERT INTO node_leases (cluster_id, node, incarnation, token_id, lease_ms, expires_at, renewed_at)
SELECT $1, $2, $3, $4, $5::integer, at + $5::integer * interval '1 ms', at FROM (SELECT clock_timestamp() AS at) AS clock
ON CONFLICT (cluster_id, node) DO UPDATE
SET incarnation = excluded.incarnation, token_id = excluded.token_id, lease_ms = excluded.lease_ms, expires_at = excluded.expires_at,
    renewed_at = excluded.renewed_at, renewals = node_leases.renewals + 1
WHERE node_leases.incarnation <= excluded.incarnation`;

/** $1 clusters, $2 nodes, $3 incarnations: those at one place belong together. */
const RENEW = `
UPDATE node_leases AS lease SET expires_at = at + lease_ms * interval '1 ms', renewed_at = at, renewals = lease.renewals + 1
FROM (SELECT clock_timestamp() AS at) AS clock,
     unnest($1::text[], $2::text[], $3::integer[]) AS renewal (cluster_id, node, incarnation)
WHERE (lease.cluster_id, lease.node, lease.incarnation) = (renewal.cluster_id, renewal.node, renewal.incarnation)
RETURNING lease.cluster_id, lease.node, lease.incarnation, lease_ms`;

const END = `
DELETE FROM node_leases WHERE cluster_id = $1 AND node = $2 AND incarnation <= $3`;

const END_UNRENEWED = `
DELETE FROM node_leases WHERE cluster_id = $1 AND node = $2 AND incarnation = $3 AND ${RENEWAL} = $4`;

const ALL = `
SELECT ${COLUMNS} FROM node_leases`;

const OF_CLUSTER = `
SELECT ${COLUMNS} FROM node_leases WHERE cluster_id = $1 ORDER BY node`;

/**
 * The leases of agents. A row is a live lease: whoever finds one may renew it, even when its time is over, until it is ended; ending it and
 * appending NodeLeaseLost are one transaction, so that a node is never lost and renewed at once.
 */
export class NodeLeases {
  readonly #renewals: Batch<Renewal, number | undefined>;

  constructor(private readonly pool: Pool) {
    this.#renewals = new Batch((renewals) => this.#renewAll(renewals), MOST_RENEWALS);
  }

  /** Grants a lease for a new incarnation, in the transaction of its NodeJoined. */
  static async grant(client: ClientBase | Pool, lease: NewLease): Promise<void> {
    await client.query({
      name: 'systole-grant-lease',
      text: GRANT,
      values: [lease.clusterId, lease.node, lease.incarnation, lease.tokenId, lease.leaseMs],
    });
  }

  /** @returns the lease's length in ms; undefined when this incarnation holds none */
  async renew(clusterId: string, node: string, incarnation: number): Promise<number | undefined> {
    return this.#renewals.add({ clusterId, node, incarnation });
  }

  /**
   * Writes the row of a lease again that was lost without NodeLeaseLost (the table was emptied).
   *
   * @param version of the state that says that the incarnation is joined
   * @returns false when the stream has moved on: fold again
   */
  async restore(lease: NewLease, version: number): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      if (!(await holdStreamAt(client, lease.clusterId, version))) return false;
      await NodeLeases.grant(client, lease);
      return true;
    });
  }

  /** Ends a lease that was given back, and whatever older one there is. */
  static async end(client: ClientBase | Pool, clusterId: string, node: string, incarnation: number): Promise<void> {
    await client.query({ name: 'systole-end-lease', text: END, values: [clusterId, node, incarnation] });
  }

  /** Ends all leases of a cluster, in the transaction of its deletion. */
  static async endAll(client: ClientBase, clusterId: string): Promise<void> {
    await client.query('DELETE FROM node_leases WHERE cluster_id = $1', [clusterId]);
  }

  /** Ends a lease that is still at this renewal; for the transaction of NodeLeaseLost (`guard`). @returns false when it was renewed meanwhile */
  static async endUnrenewed(
    client: ClientBase,
    { clusterId, node, incarnation, renewal }: Pick<NodeLease, 'clusterId' | 'node' | 'incarnation' | 'renewal'>,
  ): Promise<boolean> {
    const values = [clusterId, node, incarnation, renewal];
    const { rowCount } = await client.query({ name: 'systole-end-unrenewed', text: END_UNRENEWED, values });
    return rowCount === 1;
  }

  /** The leases of all clusters. */
  async all(): Promise<readonly NodeLease[]> {
    const { rows } = await this.pool.query<Row>({ name: 'systole-all-leases', text: ALL });
    return rows.map(leaseOf);
  }

  /** Renewals that come while others are written go together into the next statement: one flush to disk for all of them. */
  async #renewAll(renewals: readonly Renewal[]): Promise<readonly (number | undefined)[]> {
    const { rows } = await this.pool.query<Pick<Row, 'cluster_id' | 'node' | 'incarnation' | 'lease_ms'>>({
      name: 'systole-renew-leases',
      text: RENEW,
      values: [
        renewals.map(({ clusterId }) => clusterId),
        renewals.map(({ node }) => node),
        renewals.map(({ incarnation }) => incarnation),
      ],
    });
    const lengths = new Map(rows.map((row) => [keyOf(row.cluster_id, row.node, row.incarnation), row.lease_ms]));
    return renewals.map(({ clusterId, node, incarnation }) => lengths.get(keyOf(clusterId, node, incarnation)));
  }

  async ofCluster(clusterId: string): Promise<readonly NodeLease[]> {
    const { rows } = await this.pool.query<Row>({ name: 'systole-cluster-leases', text: OF_CLUSTER, values: [clusterId] });
    return rows.map(leaseOf);
  }
}

/** Names a lease; cluster ids and node names hold no blanks. */
function keyOf(clusterId: string, node: string, incarnation: number): string {
  return `${clusterId} ${node} ${incarnation}`;
}

function leaseOf(row: Row): NodeLease {
  return {
    clusterId: row.cluster_id,
    node: row.node,
    incarnation: row.incarnation,
    leaseMs: row.lease_ms,
    expiresAt: row.expires_at.toISOString(),
    renewedAt: row.renewed_at.toISOString(),
    renewal: row.renewal,
  };
}
