import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The newest roll call, one row: a worker that begins to watch the leases makes a new id, and who shows that was there after it. Agents learn it with their answers
 * (docs/decisions/0041-a-roll-call.md).
 */
const ROLL_CALL = `
CREATE TABLE roll_call (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  number bigint NOT NULL DEFAULT 0,
  id text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text CHECK (length(id) BETWEEN 1 AND 64)
)`;

/** NULL: the agent answers no roll call, or the lease was renewed last by a server that knew of none. */
const ANSWERED = 'ALTER TABLE node_leases ADD COLUMN answered text COLLATE "C"';

export class RollCall1795271700000 implements MigrationInterface {
  readonly name = 'RollCall1795271700000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(ROLL_CALL);
    await queryRunner.query('INSERT INTO roll_call DEFAULT VALUES');
    await queryRunner.query(ANSWERED);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE node_leases DROP COLUMN answered');
    await queryRunner.query('DROP TABLE roll_call');
  }
}
