import type { AgentAction } from '@systole/cluster';
import type { Pool } from 'pg';

/** An action handed out for a node, until its transition has ended. */
export interface DispatchRow {
  readonly actionId: string;
  readonly graphActionId: number;
  readonly node: string;
  readonly kind: NewDispatch['action']['kind'];
  /** Present on fence actions. */
  readonly fencingId?: string;
  /** Epoch ms, by the database's clock. */
  readonly createdAt: number;
  /** Whether some agent may have seen it. */
  readonly delivered: boolean;
  /** The incarnation of the node that it was delivered to. */
  readonly incarnation?: number;
}

/** Tells the agent that the shutdown it asked for is complete (`shutdown: true` in the answer to its poll): nothing to execute, nothing to report. */
export interface ShutdownGrant {
  readonly actionId: string;
  readonly kind: 'shutdown';
}

/** Something to hand out. */
export interface NewDispatch {
  readonly graphActionId: number;
  readonly node: string;
  readonly action: AgentAction | ShutdownGrant;
}

interface Row {
  readonly action_id: string;
  readonly graph_action_id: number;
  readonly node: string;
  readonly kind: NewDispatch['action']['kind'];
  readonly fencing_id: string | null;
  readonly created_ms: number;
  readonly delivered: boolean;
  readonly delivered_to: number | null;
}

const COLUMNS = `action_id, graph_action_id::integer AS graph_action_id, node, payload->>'kind' AS kind,
  payload->'fence'->>'fencingId' AS fencing_id,
  (extract(epoch FROM created_at) * 1000)::float8 AS created_ms, delivered_at IS NOT NULL AS delivered, delivered_to`;

/**
 * The decision was made on `version`: when the stream has moved on since, nothing is handed out and the caller decides again (S3). An event
 * that is appended right after is met by the delivery, which folds to the head before it answers a poll.
 */
const INSERT = `
INSERT INTO action_dispatches (cluster_id, action_id, transition, graph_action_id, node, payload)
SELECT $1, d.action_id, $2, d.graph_action_id, d.node, d.payload
FROM jsonb_to_recordset($3::jsonb) AS d (action_id text, graph_action_id integer, node text, payload jsonb)
WHERE NOT EXISTS (SELECT FROM events WHERE stream_id = $1 AND version > $4)
ON CONFLICT (cluster_id, action_id) DO NOTHING
RETURNING node`;

const HEAD_IS = 'SELECT NOT EXISTS (SELECT FROM events WHERE stream_id = $1 AND version > $2) AS unmoved';

/** The table `action_dispatches`: what agents are to do now. Derived from the stream and the graph, apart from what was delivered when. */
export class DispatchRows {
  constructor(private readonly pool: Pool) {}

  /** Those of one transition. */
  async ofTransition(clusterId: string, transition: number): Promise<readonly DispatchRow[]> {
    const { rows } = await this.pool.query<Row>(
      `SELECT ${COLUMNS} FROM action_dispatches WHERE cluster_id = $1 AND transition = $2 ORDER BY graph_action_id, action_id`,
      [clusterId, transition],
    );
    return rows.map(dispatchRow);
  }

  /**
   * Hands actions out; those that are handed out already stay as they are. Wakes the polls of their nodes.
   * @returns false when the stream is not at `version` any more: nothing was handed out
   */
  async handOut(clusterId: string, transition: number, version: number, dispatches: readonly NewDispatch[]): Promise<boolean> {
    const documents = dispatches.map(({ graphActionId, node, action }) => ({
      action_id: action.actionId,
      graph_action_id: graphActionId,
      node,
      payload: action,
    }));
    const { rows } = await this.pool.query<{ node: string }>(INSERT, [clusterId, transition, JSON.stringify(documents), version]);
    const nodes = [...new Set(rows.map(({ node }) => node))];
    if (nodes.length > 0) await this.wake(clusterId, nodes);
    if (rows.length === dispatches.length) return true;
    const head = await this.pool.query<{ unmoved: boolean }>(HEAD_IS, [clusterId, version]);
    return head.rows[0]?.unmoved === true;
  }

  /** Takes back what no agent has seen yet, but for notifications, which change nothing. @returns what was taken back */
  async withdrawUndelivered(clusterId: string, transition: number): Promise<readonly DispatchRow[]> {
    const { rows } = await this.pool.query<Row>(
      `DELETE FROM action_dispatches
       WHERE cluster_id = $1 AND transition = $2 AND delivered_at IS NULL AND payload->>'operation' IS DISTINCT FROM 'notify'
       RETURNING ${COLUMNS}`,
      [clusterId, transition],
    );
    return rows.map(dispatchRow);
  }

  /** Forgets what belongs to ended transitions: all up to and including `transition`. */
  async forget(clusterId: string, transition: number): Promise<void> {
    await this.pool.query('DELETE FROM action_dispatches WHERE cluster_id = $1 AND transition <= $2', [clusterId, transition]);
  }

  /** Wakes the long polls of these nodes. */
  async wake(clusterId: string, nodes: readonly string[]): Promise<void> {
    await this.pool.query(`SELECT pg_notify('systole_dispatch', $1 || '/' || node) FROM unnest($2::text[]) AS node`, [clusterId, nodes]);
  }
}

function dispatchRow(row: Row): DispatchRow {
  return {
    actionId: row.action_id,
    graphActionId: row.graph_action_id,
    node: row.node,
    kind: row.kind,
    ...(row.fencing_id === null ? {} : { fencingId: row.fencing_id }),
    createdAt: row.created_ms,
    delivered: row.delivered,
    ...(row.delivered_to === null ? {} : { incarnation: row.delivered_to }),
  };
}
