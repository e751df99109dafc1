import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which runs of alerts' programs have ended without anybody having looked what that changes (docs/decisions/0078-failing-alerts.md). Of those that have ended before nothing is said. */
export class NotedAlertRuns1795276000000 implements MigrationInterface {
  readonly name = 'NotedAlertRuns1795276000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE alert_runs DROP COLUMN noted');
  }
}

const UP = [
  'ALTER TABLE alert_runs ADD COLUMN noted boolean NOT NULL DEFAULT false',
  'UPDATE alert_runs SET noted = true WHERE ended_at IS NOT NULL',
  'CREATE INDEX alert_runs_unnoted ON alert_runs (cluster_id) WHERE ended_at IS NOT NULL AND NOT noted',
];
