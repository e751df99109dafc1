import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Clusters that could not be moved or planned when a worker tried last: since when, how often, why. Not events, and unlogged: the next try that fails
 * says it anew.
 */
export class AdvanceFailures1795270600000 implements MigrationInterface {
  readonly name = 'AdvanceFailures1795270600000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE UNLOGGED TABLE advance_failures (
  cluster_id text COLLATE "C" PRIMARY KEY,
  since timestamptz NOT NULL,
  tries integer NOT NULL,
  reason text NOT NULL
)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE advance_failures');
  }
}
