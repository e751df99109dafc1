import type { AgentAction } from '@systole/cluster';
import type {
  Delivery,
  DeliveryMoment,
  Dispatches,
  DispatchRow,
  LostDispatch,
  NewDispatch,
  Recipient,
  TransactionTables,
} from '@systole/control-plane';
import { inTransaction, storeError } from '@systole/event-store';
import type { ClientBase, Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import type { LogWrites } from '../log/log-writes.js';
import { holdStreamAt } from '../log/stream-hold.js';
import { DISPATCH_CHANNEL } from './dispatch-signals.js';

interface Row {
  readonly action_id: string;
  readonly graph_action_id: number;
  readonly node: string;
  readonly kind: NewDispatch['action']['kind'];
  readonly fencing_id: string | null;
  readonly delivered: boolean;
  readonly delivered_to: number | null;
}

const COLUMNS = `action_id, graph_action_id::integer AS graph_action_id, node, payload->>'kind' AS kind,
  payload->'fence'->>'fencingId' AS fencing_id,
  delivered_at IS NOT NULL AS delivered, delivered_to`;

/** $1 cluster, $4 the version that it was decided on. */
const UNLESS_MOVED = `WHERE (SELECT max(version) FROM events WHERE stream_id = $1) = $4
ON CONFLICT (cluster_id, action_id) DO NOTHING`;

/** $1 cluster, $2 transition, $3 documents, $4 version. */
const INSERT = `
INSERT INTO action_dispatches (cluster_id, action_id, transition, graph_action_id, node, payload)
SELECT $1, d.action_id, $2, d.graph_action_id, d.node, d.payload
FROM jsonb_to_recordset($3::jsonb) AS d (action_id text, graph_action_id integer, node text, payload jsonb)
${UNLESS_MOVED}
RETURNING node`;

/** $1 cluster, $2 transition, $3 documents, $4 version. */
const RESTORE = `
INSERT INTO action_dispatches (cluster_id, action_id, transition, graph_action_id, node, payload, delivered_at, delivered_to, restored_at, completed_at)
SELECT $1, d.action_id, $2, d.graph_action_id, d.node, d.payload, clock_timestamp(), d.incarnation, $4, CASE WHEN d.completed THEN clock_timestamp() END
FROM jsonb_to_recordset($3::jsonb) AS d (action_id text, graph_action_id integer, node text, payload jsonb, incarnation integer, completed boolean)
${UNLESS_MOVED}`;

/** $1 cluster, $2 transition. */
const WITHDRAW = `
DELETE FROM action_dispatches
WHERE cluster_id = $1 AND transition = $2 AND delivered_at IS NULL AND payload->>'operation' IS DISTINCT FROM 'notify'
RETURNING ${COLUMNS}`;

/** $1 cluster, $2 transition. */
const FORGET = `
DELETE FROM action_dispatches WHERE cluster_id = $1 AND transition <= $2`;

const HEAD_IS = 'SELECT coalesce(max(version), 0) = $2 AS unmoved FROM events WHERE stream_id = $1';

/** $1 cluster, $2 node, $3 action ids. */
const HANDED_OUT = `
SELECT action_id FROM action_dispatches WHERE cluster_id = $1 AND node = $2 AND action_id = ANY ($3)`;

/** $1 cluster, $2 node, $3 known action ids. */
const ANY_OPEN = `
SELECT EXISTS (
  SELECT FROM action_dispatches
  WHERE cluster_id = $1 AND node = $2 AND completed_at IS NULL AND action_id <> ALL ($3)
) AS open`;

/**
 * $1 cluster, $2 node, $3 known action ids, $4 transition, $5 incarnation, $6 whether it is aborting, $7 the poll's number or NULL. A poll that is
 * still held open while a later one was answered leaves the later one's stamp: its own answer goes nowhere.
 */
const STAMP = `
UPDATE action_dispatches SET delivered_at = coalesce(delivered_at, clock_timestamp()), delivered_to = $5, delivered_seq = $7
WHERE cluster_id = $1 AND node = $2 AND completed_at IS NULL AND action_id <> ALL ($3) AND transition = $4
  AND (NOT $6::boolean OR payload->>'operation' = 'notify')
  AND (delivered_to = $5 AND delivered_seq > $7::bigint) IS NOT TRUE
RETURNING graph_action_id, payload`;

/** $1 cluster, $2 node, $3 known action ids, $4 transition, $5 incarnation, $6 the poll's number, $7 the version that it shows, or NULL. */
const TAKE_BACK = `
UPDATE action_dispatches SET delivered_at = NULL, delivered_to = NULL, delivered_seq = NULL, restored_at = NULL
WHERE cluster_id = $1 AND node = $2 AND completed_at IS NULL AND action_id <> ALL ($3) AND transition = $4
  AND (delivered_to <> $5 OR delivered_to = $5 AND delivered_seq < $6::bigint OR restored_at <= $7::bigint)
  AND payload->>'operation' IS DISTINCT FROM 'notify'`;

/** $1 cluster, $2 node, $3 transition. */
const ANY_UNDELIVERED = `
SELECT EXISTS (
  SELECT FROM action_dispatches
  WHERE cluster_id = $1 AND node = $2 AND transition = $3 AND completed_at IS NULL AND delivered_at IS NULL
    AND payload->>'operation' IS DISTINCT FROM 'notify'
) AS open`;

/** $1 cluster, $2 node, $3 action ids. */
const COMPLETE = `
UPDATE action_dispatches SET completed_at = clock_timestamp()
WHERE cluster_id = $1 AND node = $2 AND action_id = ANY ($3) AND completed_at IS NULL
RETURNING action_id`;

type Payload = NewDispatch['action'];

/** The table `action_dispatches`. */
export class PostgresDispatches implements Dispatches {
  /** @param writes hears what could not be written */
  constructor(
    private readonly pool: Pool,
    private readonly writes: LogWrites,
  ) {}

  async ofTransition(clusterId: string, transition: number): Promise<readonly DispatchRow[]> {
    const text = `SELECT ${COLUMNS} FROM action_dispatches WHERE cluster_id = $1 AND transition = $2 ORDER BY graph_action_id, action_id`;
    return (await this.#read<Row>({ text, values: [clusterId, transition] })).map(dispatchRow);
  }

  async handOut(clusterId: string, transition: number, version: number, dispatches: readonly NewDispatch[]): Promise<boolean> {
    const documents = dispatches.map(documentOf);
    const values = [clusterId, transition, JSON.stringify(documents), version];
    const { rows } = await this.#hear(clusterId, () => this.pool.query<{ node: string }>(INSERT, values));
    const nodes = [...new Set(rows.map(({ node }) => node))];
    if (nodes.length > 0) await this.wake(clusterId, nodes);
    if (rows.length === dispatches.length) return true;
    const head = await this.pool.query<{ unmoved: boolean }>(HEAD_IS, [clusterId, version]);
    return head.rows[0]?.unmoved === true;
  }

  async restore(clusterId: string, transition: number, version: number, lost: readonly LostDispatch[]): Promise<void> {
    const documents = lost.map(({ incarnation, completed, ...dispatch }) => ({ ...documentOf(dispatch), incarnation, completed }));
    await this.#hear(clusterId, () => this.pool.query(RESTORE, [clusterId, transition, JSON.stringify(documents), version]));
  }

  async withdrawUndelivered(clusterId: string, transition: number): Promise<readonly DispatchRow[]> {
    const { rows } = await this.#hear(clusterId, () => this.pool.query<Row>(WITHDRAW, [clusterId, transition]));
    return rows.map(dispatchRow);
  }

  async forget(clusterId: string, transition: number): Promise<void> {
    await this.#hear(clusterId, () => this.pool.query(FORGET, [clusterId, transition]));
  }

  async handedOut(clusterId: string, node: string, actionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const values = [clusterId, node, actionIds];
    const rows = await this.#read<{ action_id: string }>({ name: 'systole-handed-out', text: HANDED_OUT, values });
    return new Set(rows.map((row) => row.action_id));
  }

  async anyOpen(clusterId: string, node: string, known: readonly string[]): Promise<boolean> {
    const values = [clusterId, node, known];
    const rows = await this.#read<{ open: boolean }>({ name: 'systole-any-open-dispatch', text: ANY_OPEN, values });
    return rows[0]?.open === true;
  }

  async deliver(
    clusterId: string,
    { node, incarnation, seq, shown }: Recipient,
    known: readonly string[],
    { transition, version, aborting = false }: DeliveryMoment,
  ): Promise<Delivery | undefined> {
    const delivering = async (client: PoolClient): Promise<Delivery | undefined> => {
      if (!(await holdStreamAt(client, clusterId, version))) return undefined;
      const { rows } = await client.query<{ readonly graph_action_id: number; readonly payload: Payload }>({
        name: 'systole-stamp-dispatches',
        text: STAMP,
        values: [clusterId, node, known, transition, incarnation, aborting, seq],
      });
      if (aborting && seq !== undefined) {
        await client.query({
          name: 'systole-take-back-dispatches',
          text: TAKE_BACK,
          values: [clusterId, node, known, transition, incarnation, seq, shown],
        });
      }
      const payloads = [...rows].sort((a, b) => a.graph_action_id - b.graph_action_id).map(({ payload }) => payload);
      return {
        actions: payloads.filter((payload): payload is AgentAction => payload.kind !== 'shutdown'),
        shutdown: payloads.some((payload) => payload.kind === 'shutdown'),
        withdrawable: aborting && (await anyUndelivered(client, clusterId, node, transition)),
      };
    };
    return this.#hear(clusterId, () => inTransaction(this.pool, delivering));
  }

  async #read<R extends QueryResultRow>(query: QueryConfig): Promise<readonly R[]> {
    const { rows } = await this.pool.query<R>(query).catch((error: unknown) => {
      throw storeError(error, 'read');
    });
    return rows;
  }

  #hear<T>(clusterId: string, write: () => Promise<T>): Promise<T> {
    return this.writes.hear(`what is handed out of ${clusterId}`, write);
  }

  private async wake(clusterId: string, nodes: readonly string[]): Promise<void> {
    await this.pool.query(`SELECT pg_notify($3, $1 || '/' || node) FROM unnest($2::text[]) AS node`, [clusterId, nodes, DISPATCH_CHANNEL]);
  }
}

/** The same table within a transaction. */
export function dispatchesIn(client: ClientBase): TransactionTables['dispatches'] {
  return {
    complete: async (clusterId, node, actionIds) => {
      const { rows } = await client.query<{ action_id: string }>({
        name: 'systole-complete-dispatches',
        text: COMPLETE,
        values: [clusterId, node, actionIds],
      });
      return new Set(rows.map((row) => row.action_id));
    },
  };
}

async function anyUndelivered(client: ClientBase, clusterId: string, node: string, transition: number): Promise<boolean> {
  const { rows } = await client.query<{ open: boolean }>({
    name: 'systole-any-undelivered-dispatch',
    text: ANY_UNDELIVERED,
    values: [clusterId, node, transition],
  });
  return rows[0]?.open === true;
}

function documentOf({ graphActionId, node, action }: NewDispatch): object {
  return { action_id: action.actionId, graph_action_id: graphActionId, node, payload: action };
}

function dispatchRow(row: Row): DispatchRow {
  return {
    actionId: row.action_id,
    graphActionId: row.graph_action_id,
    node: row.node,
    kind: row.kind,
    ...(row.fencing_id === null ? {} : { fencingId: row.fencing_id }),
    delivered: row.delivered,
    ...(row.delivered_to === null ? {} : { incarnation: row.delivered_to }),
  };
}
