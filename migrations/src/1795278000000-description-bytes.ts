import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How much room each agent's meta-data takes, unpacked: a node may tell so much only (docs/decisions/0051-agents-meta-data.md), and to unpack all that it told before for each would be the work that this is to bound.
 *
 * Null where nobody has counted yet: to count here would write the whole table anew, and everybody who reads it, agents that poll among them, would wait for that. It is counted for one cluster at a time, when one of its nodes describes an agent.
 */
export class DescriptionBytes1795278000000 implements MigrationInterface {
  readonly name = 'DescriptionBytes1795278000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE agent_descriptions ADD COLUMN bytes integer');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE agent_descriptions DROP COLUMN bytes');
  }
}
