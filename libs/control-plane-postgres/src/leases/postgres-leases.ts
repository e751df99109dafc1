import {
  SerialByKey,
  type LeaseReading,
  type NewLease,
  type NodeLease,
  type NodeLeases,
  type Presence,
  type Renewed,
  type RollCall,
  type ServiceLapses,
  type TransactionTables,
} from '@systole/control-plane';
import { Batch, inTransaction } from '@systole/event-store';
import type { Pool } from 'pg';
import type { Statements } from '../log/statements.js';
import { holdStreamAt } from '../log/stream-hold.js';

interface Renewal {
  readonly clusterId: string;
  readonly node: string;
  readonly incarnation: number;
  readonly presence: Presence;
}

/** Most renewals in one statement. */
const MOST_RENEWALS = 500;
/** Most clusters whose leases are read in one statement. */
const MOST_CLUSTERS = 200;

interface Row {
  readonly cluster_id: string;
  readonly node: string;
  readonly incarnation: number;
  readonly lease_ms: number;
  readonly expires_at: Date;
  readonly renewed_at: Date;
  readonly renewal: string;
  readonly answered: string | null;
}

interface RollCallRow {
  readonly roll_call: string;
  readonly roll_call_number: string;
}

/** The counter tells renewals apart. The time stands beside it for an api of a version before the counter, which moves only that: it is compared, never ordered. */
const RENEWAL = `renewals::text || '/' || extract(epoch FROM expires_at)::text`;

const COLUMNS = `cluster_id, node, incarnation, lease_ms, expires_at, renewed_at, answered, ${RENEWAL} AS renewal`;

/** $1 cluster, $2 node, $3 incarnation, $4 token, $5 ms, $6 the roll call that was answered. An older incarnation never takes the lease back. */
const GRANT = `
INSERT INTO node_leases (cluster_id, node, incarnation, token_id, lease_ms, expires_at, renewed_at, answered)
SELECT $1, $2, $3, $4, $5::integer, at + $5::integer * interval '1 ms', at, $6 FROM (SELECT clock_timestamp() AS at) AS clock
ON CONFLICT (cluster_id, node) DO UPDATE
SET incarnation = excluded.incarnation, token_id = excluded.token_id, lease_ms = excluded.lease_ms, expires_at = excluded.expires_at,
    renewed_at = excluded.renewed_at, renewals = node_leases.renewals + 1, answered = excluded.answered
WHERE node_leases.incarnation <= excluded.incarnation`;

/**
 * What a renewal leaves of the roll call that was answered: one that proves nothing takes nothing back, but no longer counts for an agent that answers none.
 */
const ANSWERED = (shown: string, proves: string): string => `CASE WHEN ${proves} THEN ${shown} ELSE coalesce(lease.answered, '') END`;

const NEWEST_ROLL_CALL = '(SELECT id FROM roll_call)';

/** $1 clusters, $2 nodes, $3 incarnations, $4 roll calls that were answered, $5 whether that proves anything: those at one place belong together. Rows that somebody holds are left out: one must not keep all others waiting. */
const RENEW = `
UPDATE node_leases AS lease SET expires_at = at + lease_ms * interval '1 ms', renewed_at = at, renewals = lease.renewals + 1,
    answered = ${ANSWERED('free.shown', 'free.proves')}
FROM (SELECT clock_timestamp() AS at) AS clock,
     (SELECT held.cluster_id, held.node, held.incarnation, renewal.shown, renewal.proves FROM node_leases AS held
      JOIN unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::boolean[]) AS renewal (cluster_id, node, incarnation, shown, proves)
        ON (held.cluster_id, held.node, held.incarnation) = (renewal.cluster_id, renewal.node, renewal.incarnation)
      FOR UPDATE OF held SKIP LOCKED) AS free
WHERE (lease.cluster_id, lease.node, lease.incarnation) = (free.cluster_id, free.node, free.incarnation)
RETURNING lease.cluster_id, lease.node, lease.incarnation, lease_ms, ${NEWEST_ROLL_CALL} AS roll_call`;

/** $1 cluster, $2 node, $3 incarnation, $4 roll call that was answered, $5 whether that proves anything. Waits for whoever holds the row. */
const RENEW_ONE = `
UPDATE node_leases AS lease SET expires_at = at + lease_ms * interval '1 ms', renewed_at = at, renewals = renewals + 1,
    answered = ${ANSWERED('$4::text', '$5::boolean')}
FROM (SELECT clock_timestamp() AS at) AS clock
WHERE (cluster_id, node, incarnation) = ($1, $2, $3)
RETURNING lease_ms, ${NEWEST_ROLL_CALL} AS roll_call`;

/** A number that somebody wrote must not keep the roll from being called: it begins again then, and whoever watches takes that for a database that went back. */
const MOST_CALLS = 1_000_000_000_000;

const ROLL_CALL = `
SELECT id AS roll_call, number::text AS roll_call_number FROM roll_call`;

const CALL_ROLL = `
INSERT INTO roll_call DEFAULT VALUES
ON CONFLICT (single) DO UPDATE SET number = CASE WHEN roll_call.number BETWEEN 0 AND ${String(MOST_CALLS)} THEN roll_call.number + 1 ELSE 0 END, id = excluded.id
RETURNING id AS roll_call, number::text AS roll_call_number`;

const END = `
DELETE FROM node_leases WHERE cluster_id = $1 AND node = $2 AND incarnation <= $3`;

const END_UNRENEWED = `
DELETE FROM node_leases WHERE cluster_id = $1 AND node = $2 AND incarnation = $3 AND ${RENEWAL} = $4`;

const ALL = `
SELECT ${COLUMNS} FROM node_leases`;

/**
 * What the statement sees, and how many leases there are. Tables that were made anew or emptied within the same database, as a restore in place does, have other files.
 * Transactions that are open, or yet to come, have numbers from `mark` on.
 */
const MARK = `
SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS mark, count(*)::integer AS count,
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) || '/' || pg_postmaster_start_time()::text || '/' ||
    (SELECT string_agg(pg_relation_filenode(name::regclass)::text, '/') FROM unnest('{events, node_leases, action_dispatches, roll_call}'::text[]) AS name) AS source,
  (SELECT id FROM roll_call) AS roll_call, (SELECT number::text FROM roll_call) AS roll_call_number
FROM node_leases`;

/**
 * $1 a mark: the rows that a transaction wrote with a number from that on. Rows bear the lower half of it, which begins anew after 2^32; of two numbers that is the later one which follows the
 * other within half of that.
 */
const WRITTEN_SINCE = `
SELECT ${COLUMNS} FROM node_leases WHERE ((xmin::text::bigint - $1::bigint) & 4294967295) < 2147483648`;

/** $1 clusters. */
const OF_CLUSTERS = `
SELECT ${COLUMNS} FROM node_leases WHERE cluster_id = ANY ($1) ORDER BY cluster_id, node`;

/** The table `node_leases`. */
export class PostgresLeases implements NodeLeases {
  private readonly renewals: Batch<Renewal, Renewed | undefined>;
  /** Together: each turn of a cluster asks, and where there are many clusters many have theirs at once. */
  private readonly ofClusters = new Batch((clusterIds: readonly string[]) => this.readOf(clusterIds), MOST_CLUSTERS);
  /** Those that were left out, one of a cluster at a time: they wait on a connection of their own. */
  private readonly alone = new SerialByKey();

  /** @param lapses hears of renewals that fail or take long, but not of one that waits for whoever holds its row */
  constructor(
    private readonly pool: Pool,
    lapses: Pick<ServiceLapses, 'hear'>,
  ) {
    this.renewals = new Batch((renewals) => lapses.hear(() => this.renewAll(renewals)), MOST_RENEWALS);
  }

  async renew(clusterId: string, node: string, incarnation: number, presence: Presence): Promise<Renewed | undefined> {
    const renewal = { clusterId, node, incarnation, presence };
    return (await this.renewals.add(renewal)) ?? (await this.alone.run(clusterId, () => this.renewAlone(renewal)));
  }

  async restore(lease: NewLease, version: number): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      if (!(await holdStreamAt(client, lease.clusterId, version))) return false;
      await leasesIn(client).grant(lease);
      return true;
    });
  }

  async end(clusterId: string, node: string, incarnation: number): Promise<void> {
    await leasesIn(this.pool).end(clusterId, node, incarnation);
  }

  async all(): Promise<readonly NodeLease[]> {
    const { rows } = await this.pool.query<Row>({ name: 'systole-all-leases', text: ALL });
    return rows.map(leaseOf);
  }

  /** By the numbers of transactions, which no clock moves. The mark is taken before the rows are read: what is written in between is found twice. */
  async since(mark: string | undefined): Promise<LeaseReading> {
    const { rows } = await this.pool.query<
      Pick<LeaseReading, 'mark' | 'count' | 'source'> & { readonly [Column in keyof RollCallRow]: string | null }
    >({
      name: 'systole-leases-mark',
      text: MARK,
    });
    const [row] = rows;
    if (row === undefined) throw new Error('the database counted no leases');
    const { mark: newest, count, source } = row;
    const now = { mark: newest, count, source, rollCall: await this.rollCallBeside(row) };
    // Numbers that went back are another server's, or those of one that was restored.
    if (mark === undefined || BigInt(now.mark) < BigInt(mark)) return { ...now, leases: await this.all(), isComplete: true };
    const written = await this.pool.query<Row>({ name: 'systole-leases-written', text: WRITTEN_SINCE, values: [mark] });
    return { ...now, leases: written.rows.map(leaseOf), isComplete: false };
  }

  async ofCluster(clusterId: string): Promise<readonly NodeLease[]> {
    return this.ofClusters.add(clusterId);
  }

  async rollCall(): Promise<RollCall> {
    const { rows } = await this.pool.query<RollCallRow>({ name: 'systole-roll-call', text: ROLL_CALL });
    return rows[0] === undefined ? this.callRoll() : rollCallOf(rows[0]);
  }

  async callRoll(): Promise<RollCall> {
    const { rows } = await this.pool.query<RollCallRow>({ name: 'systole-call-roll', text: CALL_ROLL });
    if (rows[0] === undefined) throw new Error('the roll was called, and the database does not say by which id');
    return rollCallOf(rows[0]);
  }

  private async readOf(clusterIds: readonly string[]): Promise<readonly (readonly NodeLease[])[]> {
    const values = [[...new Set(clusterIds)]];
    const { rows } = await this.pool.query<Row>({ name: 'systole-leases-of-clusters', text: OF_CLUSTERS, values });
    const found = new Map<string, NodeLease[]>();
    for (const row of rows) {
      const ofCluster = found.get(row.cluster_id);
      if (ofCluster === undefined) found.set(row.cluster_id, [leaseOf(row)]);
      else ofCluster.push(leaseOf(row));
    }
    return clusterIds.map((clusterId) => found.get(clusterId) ?? []);
  }

  private async renewAlone({ clusterId, node, incarnation, presence }: Renewal): Promise<Renewed | undefined> {
    const values = [clusterId, node, incarnation, shownBy(presence), presence.type !== 'unproven'];
    const { rows } = await this.pool.query<RenewedRow>({ name: 'systole-renew-lease', text: RENEW_ONE, values });
    return rows[0] && renewedOf(rows[0]);
  }

  /** The table may have been emptied. */
  private async rollCallBeside({
    roll_call: id,
    roll_call_number: number,
  }: { readonly [Column in keyof RollCallRow]: string | null }): Promise<RollCall> {
    return id === null || number === null ? this.callRoll() : { id, number: Number(number) };
  }

  /** Renewals that come while others are written go together into the next statement: one flush to disk for all of them. */
  private async renewAll(renewals: readonly Renewal[]): Promise<readonly (Renewed | undefined)[]> {
    const { rows } = await this.pool.query<Pick<Row, 'cluster_id' | 'node' | 'incarnation'> & RenewedRow>({
      name: 'systole-renew-leases',
      text: RENEW,
      values: [
        renewals.map(({ clusterId }) => clusterId),
        renewals.map(({ node }) => node),
        renewals.map(({ incarnation }) => incarnation),
        renewals.map(({ presence }) => shownBy(presence)),
        renewals.map(({ presence }) => presence.type !== 'unproven'),
      ],
    });
    const renewed = new Map(rows.map((row) => [keyOf(row.cluster_id, row.node, row.incarnation), renewedOf(row)]));
    return renewals.map(({ clusterId, node, incarnation }) => renewed.get(keyOf(clusterId, node, incarnation)));
  }
}

/** The same table within a transaction. */
export function leasesIn(client: Statements): TransactionTables['leases'] {
  return {
    grant: async ({ clusterId, node, incarnation, tokenId, leaseMs, presence }) => {
      const answered = presence.type === 'unproven' ? '' : shownBy(presence);
      await client.query({ name: 'systole-grant-lease', text: GRANT, values: [clusterId, node, incarnation, tokenId, leaseMs, answered] });
    },
    end: async (clusterId, node, incarnation) => {
      await client.query({ name: 'systole-end-lease', text: END, values: [clusterId, node, incarnation] });
    },
    endAll: async (clusterId) => {
      await client.query({ text: 'DELETE FROM node_leases WHERE cluster_id = $1', values: [clusterId] });
    },
    endUnrenewed: async ({ clusterId, node, incarnation, renewal }) => {
      const values = [clusterId, node, incarnation, renewal];
      const { rowCount } = await client.query({ name: 'systole-end-unrenewed', text: END_UNRENEWED, values });
      return rowCount === 1;
    },
  };
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
    answered: row.answered ?? undefined,
  };
}

/** The table of roll calls may have been emptied. */
interface RenewedRow {
  readonly lease_ms: number;
  readonly roll_call: string | null;
}

function renewedOf({ lease_ms: leaseMs, roll_call: rollCall }: RenewedRow): Renewed {
  return { leaseMs, rollCall: rollCall ?? '' };
}

/** What is kept of the roll call that was answered; null: the agent answers none. */
function shownBy(presence: Presence): string | null {
  return presence.type === 'answers' ? presence.rollCall : null;
}

function rollCallOf({ roll_call: id, roll_call_number: number }: RollCallRow): RollCall {
  return { id, number: Number(number) };
}
