import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What nodes are told to run for alerts (docs/decisions/0063-alerts.md).
 *
 * - `alert_places`: up to which version of its log each cluster's events were looked at for alerts, and how many runs were left out;
 * - `alert_runs`: one row for each run of a program: to be given to its node, given, and how it ended.
 *
 * Clusters that are there begin at the end of their log: what happened before is told to nobody. Those without a row begin at the beginning of theirs.
 */
export class AlertRuns1795273000000 implements MigrationInterface {
  readonly name = 'AlertRuns1795273000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['alert_runs', 'alert_places']) await queryRunner.query(`DROP TABLE ${table}`);
  }
}

const UP = [
  `
CREATE TABLE alert_places (
  cluster_id text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL,
  dropped bigint NOT NULL DEFAULT 0,
  dropped_at timestamptz
)`,
  `
INSERT INTO alert_places (cluster_id, version)
SELECT cluster.id, coalesce((SELECT max(version) FROM events WHERE stream_id = cluster.id::text), 0) FROM clusters AS cluster`,
  `
CREATE TABLE alert_runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  cluster_id text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  alert text NOT NULL,
  recipient text,
  kind text NOT NULL CHECK (kind IN ('node', 'fencing', 'resource', 'attribute')),
  version bigint NOT NULL,
  test boolean NOT NULL,
  call jsonb NOT NULL,
  outcome text NOT NULL DEFAULT 'waiting' CHECK (outcome IN ('waiting', 'given', 'done', 'failed', 'timeout', 'not-run')),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  given_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  ended_at timestamptz,
  rc integer,
  detail text,
  exec_ms integer
)`,
  `CREATE INDEX alert_runs_open ON alert_runs (cluster_id, node, id) WHERE outcome IN ('waiting', 'given')`,
  `CREATE INDEX alert_runs_by_cluster ON alert_runs (cluster_id, id DESC)`,
  `CREATE INDEX alert_runs_by_age ON alert_runs (at)`,
];
