import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';

/** What an attempt waits for a lock, ms: whoever waits for longer holds up those behind it. */
const LOCKED_WITHIN_MS = 1_000;

/** The tables that are written together with events. Their locks come first: whoever waits for one has changed nothing yet that readers of the log would wait for. */
const LOCKS = `
SET LOCAL lock_timeout = ${String(LOCKED_WITHIN_MS)};
LOCK TABLE clusters, transitions, action_dispatches, node_leases IN ROW EXCLUSIVE MODE`;

/** $1 a cluster that there is not. */
const WRITES = [
  'INSERT INTO clusters (id, name, version, created_at) VALUES ($1, $1, 1, clock_timestamp())',
  `INSERT INTO transitions (cluster_id, number, planned_version, input_version, now, digest) VALUES ($1, 1, 1, 1, 0, '')`,
  `INSERT INTO action_dispatches (cluster_id, action_id, transition, graph_action_id, node, payload) VALUES ($1, $1, 1, 1, '', '{}')`,
  `INSERT INTO node_leases (cluster_id, node, incarnation, token_id, lease_ms, expires_at, renewed_at)
   VALUES ($1, '', 1, '', 1, clock_timestamp(), clock_timestamp())`,
  'UPDATE clusters SET version = 2 WHERE id = $1',
  `UPDATE transitions SET status = 'complete' WHERE cluster_id = $1`,
  'UPDATE action_dispatches SET completed_at = clock_timestamp() WHERE cluster_id = $1',
  'UPDATE node_leases SET renewed_at = clock_timestamp() WHERE cluster_id = $1',
  'DELETE FROM action_dispatches WHERE cluster_id = $1',
  'DELETE FROM node_leases WHERE cluster_id = $1',
];

/** Writes into every table that decisions and reports are stored in, as they do. To be taken back by the caller. */
export async function tryTables(client: ClientBase): Promise<void> {
  const nobody = randomUUID();
  await client.query(LOCKS);
  for (const write of WRITES) await client.query(write, [nobody]);
}
