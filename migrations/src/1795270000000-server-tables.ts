import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the server keeps beside the event store.
 *
 * - `clusters`, `transitions`: derived from the streams; can be deleted and rebuilt.
 * - `action_dispatches`, `node_leases`: what is going on at the moment; not events. A lost dispatch row is handed out again by the worker, a lost
 *   lease row is written again by the agent's next poll.
 * - `tokens`, `idempotency_keys`: the API's own.
 *
 * Every table that concerns a cluster has the cluster's id first in its key, so that all can be distributed by it. Graphs and schedules are
 * `json`, not `jsonb`: the order of their keys is part of what they say, and nobody queries inside them.
 */
export class ServerTables1795270000000 implements MigrationInterface {
  readonly name = 'ServerTables1795270000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP TABLE ${table}`);
  }
}

const TABLES = ['idempotency_keys', 'tokens', 'node_leases', 'action_dispatches', 'transitions', 'clusters'];

const UP = [
  // `version`: of the newest event that this row shows.
  `
CREATE TABLE clusters (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  version bigint NOT NULL CHECK (version > 0),
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
)`,
  // A deleted cluster's name is free again.
  'CREATE UNIQUE INDEX clusters_name ON clusters (name) WHERE deleted_at IS NULL',

  // `now` is the effective time in epoch seconds. Graph and schedule are missing until the worker has stored them.
  `
CREATE TABLE transitions (
  cluster_id text COLLATE "C" NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  planned_version bigint NOT NULL,
  input_version bigint NOT NULL,
  now bigint NOT NULL,
  digest text NOT NULL,
  planned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  trigger text NOT NULL DEFAULT '',
  actions integer NOT NULL DEFAULT 0,
  pseudo integer NOT NULL DEFAULT 0,
  fencing integer NOT NULL DEFAULT 0,
  summary jsonb NOT NULL DEFAULT '[]',
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'aborting', 'complete', 'aborted')),
  abort_reason text,
  ended_at timestamptz,
  completed integer,
  skipped integer,
  failed integer,
  graph json,
  schedule json,
  PRIMARY KEY (cluster_id, number)
)`,

  // One row for each action that is handed out; the worker writes and deletes, the API stamps and delivers.
  `
CREATE TABLE action_dispatches (
  cluster_id text COLLATE "C" NOT NULL,
  action_id text COLLATE "C" NOT NULL,
  transition integer NOT NULL,
  graph_action_id integer NOT NULL,
  node text COLLATE "C" NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  delivered_at timestamptz,
  completed_at timestamptz,
  PRIMARY KEY (cluster_id, action_id)
)`,
  'CREATE INDEX action_dispatches_node ON action_dispatches (cluster_id, node, transition) WHERE completed_at IS NULL',
  'CREATE INDEX action_dispatches_transition ON action_dispatches (cluster_id, transition)',

  // A row is a live lease: it is deleted when the lease is lost or given back. Times are the database's.
  `
CREATE TABLE node_leases (
  cluster_id text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  incarnation integer NOT NULL,
  token_id text COLLATE "C" NOT NULL,
  lease_ms integer NOT NULL CHECK (lease_ms > 0),
  expires_at timestamptz NOT NULL,
  renewed_at timestamptz NOT NULL,
  PRIMARY KEY (cluster_id, node)
) WITH (fillfactor = 50)`,
  'CREATE INDEX node_leases_expiry ON node_leases (expires_at)',

  // The secret itself is not here: a token is found by its sha256.
  `
CREATE TABLE tokens (
  id text COLLATE "C" PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('viewer', 'operator', 'admin', 'agent')),
  cluster_id text COLLATE "C",
  node text COLLATE "C",
  name text NOT NULL,
  sha256 bytea NOT NULL UNIQUE CHECK (length(sha256) = 32),
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  revoked_at timestamptz,
  CHECK ((role = 'agent') = (cluster_id IS NOT NULL AND node IS NOT NULL))
)`,
  'CREATE INDEX tokens_cluster ON tokens (cluster_id, node) WHERE revoked_at IS NULL',

  // Answers to POST requests that carried an Idempotency-Key. Without a status the request is being worked on.
  `
CREATE TABLE idempotency_keys (
  token_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  request_sha256 bytea NOT NULL,
  locked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  status integer,
  headers jsonb,
  body text,
  PRIMARY KEY (token_id, key)
)`,
  'CREATE INDEX idempotency_keys_age ON idempotency_keys (locked_at)',
];
