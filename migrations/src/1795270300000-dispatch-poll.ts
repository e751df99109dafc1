import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which poll of its incarnation a dispatched action was delivered by last, as the agent counts them: a later poll that does not name the action shows
 * that the answer was lost. Empty for rows delivered before this column existed and to agents that do not count; those are waited for as before.
 */
export class DispatchPoll1795270300000 implements MigrationInterface {
  readonly name = 'DispatchPoll1795270300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE action_dispatches ADD COLUMN delivered_seq bigint');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE action_dispatches DROP COLUMN delivered_seq');
  }
}
