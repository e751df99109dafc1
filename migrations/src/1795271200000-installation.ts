import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What tells this installation from any other: its id, and the key with which it seals what it tells of its log. One row, as old as the table, so that every later
 * backup holds it; a server that finds none makes another one, which makes worthless what was sealed before. The key is for the programs alone: it stands in no
 * answer, event or log.
 */
export class Installation1795271200000 implements MigrationInterface {
  readonly name = 'Installation1795271200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  seal_key bytea NOT NULL DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    CHECK (length(seal_key) = 32)
)`);
    await queryRunner.query('REVOKE ALL ON installation FROM PUBLIC');
    await queryRunner.query('INSERT INTO installation DEFAULT VALUES');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE installation');
  }
}
