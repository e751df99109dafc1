import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The node's incarnation that a dispatched action was delivered to last: a later one knows nothing of it, so nobody need wait for its result. Rows
 * delivered before this column existed leave it empty and are waited for as before.
 */
export class DispatchIncarnation1795270100000 implements MigrationInterface {
  readonly name = 'DispatchIncarnation1795270100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE action_dispatches ADD COLUMN delivered_to integer');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE action_dispatches DROP COLUMN delivered_to');
  }
}
