import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Graphs are stored compressed, without the schedule that they are a part of: that grows with the cluster, not with what is done, and is computed again from
 * the stream when somebody asks. What was stored so far is derived data as well, and is given up.
 */
export class PackedGraphs1795271500000 implements MigrationInterface {
  readonly name = 'PackedGraphs1795271500000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE transitions ADD COLUMN packed_graph bytea, DROP COLUMN graph, DROP COLUMN schedule');
    // It is compressed already.
    await queryRunner.query('ALTER TABLE transitions ALTER COLUMN packed_graph SET STORAGE EXTERNAL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE transitions DROP COLUMN packed_graph, ADD COLUMN graph json, ADD COLUMN schedule json');
  }
}
