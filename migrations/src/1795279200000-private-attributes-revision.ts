import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which of its tellings a node's private attributes are of: one that another server hears late does not replace them (docs/decisions/0060-attributes-as-a-daemon-keeps-them.md). Null: of an agent that does not count. */
export class PrivateAttributesRevision1795279200000 implements MigrationInterface {
  readonly name = 'PrivateAttributesRevision1795279200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE private_attributes ADD COLUMN revision bigint');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE private_attributes DROP COLUMN revision');
  }
}
