import {
  actionText,
  operationIn,
  type Answers,
  type Dispatches,
  type DispatchRow,
  type LostDispatch,
  type NewDispatch,
  type NodeOfCluster,
  type OpenOperation,
  type UnansweredDispatch,
} from '@systole/control-plane';
import type { AgentAction } from '@systole/cluster';
import { Batch, storeError } from '@systole/event-store';
import type { Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { LogWrites } from '../log/log-writes.js';
import { outlastsAbort, whatGoesOn } from './delivery-statements.js';
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

interface UnansweredRow extends Pick<Row, 'graph_action_id' | 'node' | 'delivered' | 'delivered_to'> {
  readonly kind: AgentAction['kind'];
  readonly operation: string;
  readonly interval_ms: string;
  readonly resource: string;
  readonly target: string | null;
  readonly for_ms: string;
}

interface OpenOperationRow extends Pick<UnansweredRow, 'graph_action_id' | 'node' | 'delivered_to'> {
  readonly payload: AgentAction;
}

const COLUMNS = `action_id, graph_action_id::integer AS graph_action_id, node, payload->>'kind' AS kind,
  payload->'fence'->>'fencingId' AS fencing_id,
  delivered_at IS NOT NULL AS delivered, delivered_to`;

/** $1 cluster, $4 the version that it was decided on. */
const UNLESS_MOVED = `WHERE (SELECT max(version) FROM events WHERE stream_id = $1) = $4
ON CONFLICT (cluster_id, action_id) DO NOTHING`;

/**
 * $1 cluster, $2 transition, $3 documents, $4 version, $5 channel on which those who wait for their nodes are told. Nobody waits for the disk: what is delivered is there first, with all that was
 * written before it, and what a crash of the database loses before that is handed out again (`KeptEngines.take`).
 */
const HAND_OUT = `
WITH commit AS (SELECT set_config('synchronous_commit', 'off', true)), inserted AS (
  INSERT INTO action_dispatches (cluster_id, action_id, transition, graph_action_id, node, payload)
  SELECT $1, d.action_id, $2, d.graph_action_id, d.node, d.payload
  FROM commit, jsonb_to_recordset($3::jsonb) AS d (action_id text, graph_action_id integer, node text, payload jsonb)
  ${UNLESS_MOVED}
  RETURNING node
)
SELECT count::integer, pg_notify($5, $1 || '/' || node) FROM (SELECT node, count(*) FROM inserted GROUP BY node) AS nodes`;

/** $1 cluster, $2 transition, $3 documents, $4 version. */
const RESTORE = `
INSERT INTO action_dispatches (cluster_id, action_id, transition, graph_action_id, node, payload, delivered_at, delivered_to, restored_at, completed_at)
SELECT $1, d.action_id, $2, d.graph_action_id, d.node, d.payload, clock_timestamp(), d.incarnation, $4, CASE WHEN d.completed THEN clock_timestamp() END
FROM jsonb_to_recordset($3::jsonb) AS d (action_id text, graph_action_id integer, node text, payload jsonb, incarnation integer, completed boolean)
${UNLESS_MOVED}`;

/** $1 cluster, $2 transition, $3 what goes on in the transition (`whatGoesOn`). */
const WITHDRAW = `
DELETE FROM action_dispatches
WHERE cluster_id = $1 AND transition = $2 AND delivered_at IS NULL AND NOT ${outlastsAbort(3)}
RETURNING ${COLUMNS}`;

/** $1 cluster, $2 transition. */
const FORGET = `
DELETE FROM action_dispatches WHERE cluster_id = $1 AND transition <= $2`;

const HEAD_IS = 'SELECT coalesce(max(version), 0) = $2 AS unmoved FROM events WHERE stream_id = $1';

/** $1 cluster, $2 node, $3 action ids. */
const HANDED_OUT = `
SELECT action_id FROM action_dispatches WHERE cluster_id = $1 AND node = $2 AND action_id = ANY ($3)`;

/** $1 cluster, $2 node, $3 action ids. */
const HANDED_OUT_AT = `
SELECT action_id, (extract(epoch FROM created_at) * 1000)::float8 AS ms
FROM action_dispatches WHERE cluster_id = $1 AND node = $2 AND action_id = ANY ($3) AND restored_at IS NULL`;

/** $1 clusters, $2 nodes and $3 action ids, one of each for each place. */
const DELIVERED = `
SELECT place::integer
FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (cluster_id, node, action_id, place)
WHERE EXISTS (
  SELECT FROM action_dispatches AS given
  WHERE given.cluster_id = asked.cluster_id AND given.action_id = asked.action_id AND given.node = asked.node
    AND (given.delivered_at IS NOT NULL OR given.completed_at IS NOT NULL)
)`;

/** $1 clusters and $2 nodes, $3 places of theirs and $4 ids of what the agents there know: those at one place belong together. */
const ANY_OPEN = `
SELECT place::integer
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (cluster_id, node, place)
WHERE EXISTS (
  SELECT FROM action_dispatches AS open
  WHERE open.cluster_id = asked.cluster_id AND open.node = asked.node AND open.completed_at IS NULL
    AND (asked.place, open.action_id) NOT IN (SELECT known.place, known.action_id FROM unnest($3::bigint[], $4::text[]) AS known (place, action_id))
)`;

/** $1 cluster, $2 transition. */
const UNANSWERED = `
SELECT graph_action_id::integer, node, delivered_at IS NOT NULL AS delivered, delivered_to, payload->>'kind' AS kind, payload->>'operation' AS operation,
  payload->>'intervalMs' AS interval_ms, payload->'resource'->>'id' AS resource, payload->'fence'->>'target' AS target,
  greatest(0, extract(epoch FROM clock_timestamp() - created_at) * 1000)::bigint::text AS for_ms
FROM action_dispatches
WHERE cluster_id = $1 AND transition = $2 AND completed_at IS NULL AND payload->>'kind' <> 'shutdown'
ORDER BY graph_action_id`;

const OPEN_OPERATIONS = `
SELECT graph_action_id::integer, node, delivered_to, payload
FROM action_dispatches
WHERE cluster_id = $1 AND transition = $2 AND completed_at IS NULL AND payload->>'kind' IN ('operation', 'cancel')
ORDER BY graph_action_id`;

const UNDELIVERED = `
SELECT DISTINCT cluster_id, node FROM action_dispatches WHERE completed_at IS NULL AND delivered_at IS NULL`;

/** $1 cluster, $2 nodes, $3 action ids, one for each node. */
const COMPLETE = `
UPDATE action_dispatches AS dispatch SET completed_at = clock_timestamp()
FROM unnest($2::text[], $3::text[]) AS answer (node, action_id)
WHERE dispatch.cluster_id = $1 AND dispatch.action_id = answer.action_id AND dispatch.node = answer.node AND dispatch.completed_at IS NULL
RETURNING dispatch.node, dispatch.action_id`;

/** What a poll asks. */
interface Look extends NodeOfCluster {
  readonly known: readonly string[];
}

/** What an agent says that it knows. */
interface KnownActions extends NodeOfCluster {
  readonly actionIds: readonly string[];
}

/** Of documents in one statement, characters; it takes some milliseconds to write. */
const PIECE_CHARS = 512 * 1024;

/** Most polls for which it is looked in one statement. */
const MOST_LOOKS = 500;

/** The table `action_dispatches`. */
export class PostgresDispatches implements Dispatches {
  readonly #looks = new Batch((asked: readonly Look[]) => this.#anyOpen(asked), MOST_LOOKS);
  readonly #deliveries = new Batch((asked: readonly KnownActions[]) => this.#delivered(asked), MOST_LOOKS);

  /**
   * @param writes hears what could not be written
   * @param apart the pools for polls that look whether there is something for them, and for what is looked up before an append: where the table is locked both must hold up no leases
   */
  constructor(
    private readonly pool: Pool,
    private readonly writes: LogWrites,
    private readonly apart: { readonly looks: Pool; readonly appends: Pool },
  ) {}

  async ofTransition(clusterId: string, transition: number): Promise<readonly DispatchRow[]> {
    const text = `SELECT ${COLUMNS} FROM action_dispatches WHERE cluster_id = $1 AND transition = $2 ORDER BY graph_action_id, action_id`;
    const query = { name: 'systole-dispatches-of-transition', text, values: [clusterId, transition] };
    return (await this.#read<Row>(this.pool, query)).map(dispatchRow);
  }

  async handOut(clusterId: string, transition: number, version: number, dispatches: readonly NewDispatch[]): Promise<boolean> {
    let handedOut = 0;
    for (const documents of inPieces(dispatches.map(documentOf))) {
      const values = [clusterId, transition, documents, version, DISPATCH_CHANNEL];
      const handOut = { name: 'systole-hand-out', text: HAND_OUT, values };
      const { rows } = await this.#hear(clusterId, () => this.pool.query<{ count: number }>(handOut));
      for (const { count } of rows) handedOut += count;
    }
    if (handedOut === dispatches.length) return true;
    const head = await this.pool.query<{ unmoved: boolean }>(HEAD_IS, [clusterId, version]);
    return head.rows[0]?.unmoved === true;
  }

  async restore(clusterId: string, transition: number, version: number, lost: readonly LostDispatch[]): Promise<void> {
    const documents = lost.map(({ incarnation, completed, ...dispatch }) => ({ ...documentOf(dispatch), incarnation, completed }));
    for (const piece of inPieces(documents)) {
      await this.#hear(clusterId, () => this.pool.query(RESTORE, [clusterId, transition, piece, version]));
    }
  }

  async withdrawUndelivered(clusterId: string, transition: number, { probing } = { probing: false }): Promise<readonly DispatchRow[]> {
    const withdraw = { name: 'systole-withdraw-dispatches', text: WITHDRAW, values: [clusterId, transition, whatGoesOn(probing)] };
    const { rows } = await this.#hear(clusterId, () => this.pool.query<Row>(withdraw));
    return rows.map(dispatchRow);
  }

  async forget(clusterId: string, transition: number): Promise<void> {
    const forget = { name: 'systole-forget-dispatches', text: FORGET, values: [clusterId, transition] };
    await this.#hear(clusterId, () => this.pool.query(forget));
  }

  async handedOut(clusterId: string, node: string, actionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const values = [clusterId, node, actionIds];
    const rows = await this.#read<{ action_id: string }>(this.apart.appends, { name: 'systole-handed-out', text: HANDED_OUT, values });
    return new Set(rows.map((row) => row.action_id));
  }

  async handedOutAt(clusterId: string, node: string, actionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const query = { name: 'systole-handed-out-at', text: HANDED_OUT_AT, values: [clusterId, node, actionIds] };
    const rows = await this.#read<{ action_id: string; ms: number }>(this.apart.appends, query);
    return new Map(rows.map((row) => [row.action_id, row.ms]));
  }

  async delivered(clusterId: string, node: string, actionIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#deliveries.add({ clusterId, node, actionIds });
  }

  async ofActions(clusterId: string, actionIds: readonly string[]): Promise<readonly DispatchRow[]> {
    const text = `SELECT ${COLUMNS} FROM action_dispatches WHERE cluster_id = $1 AND action_id = ANY ($2::text[])`;
    return (await this.#read<Row>(this.pool, { name: 'systole-dispatches-of-actions', text, values: [clusterId, actionIds] })).map(
      dispatchRow,
    );
  }

  async unanswered(clusterId: string, transition: number): Promise<readonly UnansweredDispatch[]> {
    const query = { name: 'systole-unanswered-dispatches', text: UNANSWERED, values: [clusterId, transition] };
    return (await this.#read<UnansweredRow>(this.pool, query)).map(unansweredOf);
  }

  async openOperations(clusterId: string, transition: number): Promise<readonly OpenOperation[]> {
    const query = { name: 'systole-open-operations', text: OPEN_OPERATIONS, values: [clusterId, transition] };
    return (await this.#read<OpenOperationRow>(this.pool, query)).map((row) => ({
      ...{ graphActionId: row.graph_action_id, node: row.node, action: row.payload },
      ...(row.delivered_to === null ? {} : { incarnation: row.delivered_to }),
    }));
  }

  async anyOpen(clusterId: string, node: string, known: readonly string[]): Promise<boolean> {
    return this.#looks.add({ clusterId, node, known });
  }

  async wake(clusterId: string, node: string): Promise<void> {
    await this.#read(this.pool, { text: 'SELECT pg_notify($1, $2)', values: [DISPATCH_CHANNEL, `${clusterId}/${node}`] });
  }

  async undelivered(): Promise<readonly NodeOfCluster[]> {
    const rows = await this.#read<{ cluster_id: string; node: string }>(this.apart.looks, {
      name: 'systole-undelivered',
      text: UNDELIVERED,
    });
    return rows.map(({ cluster_id: clusterId, node }) => ({ clusterId, node }));
  }

  async #delivered(asked: readonly KnownActions[]): Promise<readonly ReadonlySet<string>[]> {
    const places = asked.flatMap(({ clusterId, node, actionIds }, index) =>
      actionIds.map((actionId) => ({ clusterId, node, actionId, index })),
    );
    const values = [places.map(({ clusterId }) => clusterId), places.map(({ node }) => node), places.map(({ actionId }) => actionId)];
    const rows = await this.#read<{ place: number }>(this.apart.looks, { name: 'systole-delivered-dispatches', text: DELIVERED, values });
    const delivered = asked.map(() => new Set<string>());
    for (const { place } of rows) {
      const found = places[place - 1];
      if (found !== undefined) delivered[found.index]?.add(found.actionId);
    }
    return delivered;
  }

  async #anyOpen(asked: readonly Look[]): Promise<readonly boolean[]> {
    const known = asked.flatMap(({ known: ids }, index) => ids.map((id) => ({ place: index + 1, id })));
    const values = [
      asked.map(({ clusterId }) => clusterId),
      asked.map(({ node }) => node),
      known.map(({ place }) => place),
      known.map(({ id }) => id),
    ];
    const rows = await this.#read<{ place: number }>(this.apart.looks, { name: 'systole-any-open-dispatch', text: ANY_OPEN, values });
    const open = new Set(rows.map(({ place }) => place));
    return asked.map((_, index) => open.has(index + 1));
  }

  async #read<R extends QueryResultRow>(pool: Pool, query: QueryConfig): Promise<readonly R[]> {
    const { rows } = await pool.query<R>(query).catch((error: unknown) => {
      throw storeError(error, 'read');
    });
    return rows;
  }

  #hear<T>(clusterId: string, write: () => Promise<T>): Promise<T> {
    return this.writes.hear(`what is handed out of ${clusterId}`, write);
  }
}

/** What has to be asked to mark actions as answered, with the events that say so. */
export function answersQuery(clusterId: string, answers: readonly Answers[]): QueryConfig {
  const each = answers.flatMap(({ node, actionIds }) => actionIds.map((actionId) => ({ node, actionId })));
  const values = [clusterId, each.map(({ node }) => node), each.map(({ actionId }) => actionId)];
  return { name: 'systole-complete-dispatches', text: COMPLETE, values };
}

/** Says which were not answered before; of those that say the same at the same moment the one that is asked about first. @param result of {@link answersQuery} */
export function firstAnswers({ rows }: Pick<QueryResult, 'rows'>): (answers: Answers) => ReadonlySet<string> {
  const open = new Set((rows as readonly CompletedRow[]).map(({ node, action_id }) => JSON.stringify([node, action_id])));
  return ({ node, actionIds }) => new Set(actionIds.filter((actionId) => open.delete(JSON.stringify([node, actionId]))));
}

interface CompletedRow {
  readonly node: string;
  readonly action_id: string;
}

/** Lists of these documents as JSON, each about {@link PIECE_CHARS} long at most: what is longer would have to be written, and read by PostgreSQL, in one go. */
function* inPieces(documents: readonly object[]): Generator<string, void, undefined> {
  let piece: string[] = [];
  let chars = 0;
  for (const document of documents) {
    const text = JSON.stringify(document);
    if (piece.length > 0 && chars + text.length > PIECE_CHARS) {
      yield `[${piece.join(',')}]`;
      piece = [];
      chars = 0;
    }
    piece.push(text);
    chars += text.length;
  }
  if (piece.length > 0) yield `[${piece.join(',')}]`;
}

function documentOf({ graphActionId, node, action }: NewDispatch): object {
  return { action_id: action.actionId, graph_action_id: graphActionId, node, payload: action };
}

function unansweredOf(row: UnansweredRow): UnansweredDispatch {
  const { kind, operation, target } = row;
  const fence = target === null ? {} : { fence: { target } };
  const action = { kind, operation, intervalMs: Number(row.interval_ms), resource: { id: row.resource }, ...fence };
  return {
    graphActionId: row.graph_action_id,
    node: row.node,
    what: actionText(action),
    ...operationIn(action),
    delivered: row.delivered,
    ...(row.delivered_to === null ? {} : { incarnation: row.delivered_to }),
    forMs: Number(row.for_ms),
  };
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
