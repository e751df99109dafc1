import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * At which version of its cluster a dispatched action was written again after its row had been lost: nobody knows by which poll it was delivered, so that only a poll that shows that version can
 * tell that it was never begun. Empty for all others.
 */
export class RestoredDispatches1795271400000 implements MigrationInterface {
  readonly name = 'RestoredDispatches1795271400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE action_dispatches ADD COLUMN restored_at bigint');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE action_dispatches DROP COLUMN restored_at');
  }
}
