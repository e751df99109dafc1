import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much room each agent's meta-data takes, unpacked: a node may tell so much only (docs/decisions/0051-agents-meta-data.md), and to unpack all that it told before for each would be the work that this is to bound. */
export class DescriptionBytes1795278000000 implements MigrationInterface {
  readonly name = 'DescriptionBytes1795278000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE agent_descriptions ADD COLUMN bytes integer GENERATED ALWAYS AS (octet_length(metadata::text)) STORED',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE agent_descriptions DROP COLUMN bytes');
  }
}
