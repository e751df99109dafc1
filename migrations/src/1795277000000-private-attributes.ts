import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Private attributes of nodes (docs/decisions/0060-attributes-as-a-daemon-keeps-them.md): one row for each node, with all that it has. What agents tell, not events: nothing is planned from it, and a row
 * that is lost is told again with the node's next join. It counts while the incarnation that told it is joined.
 */
export class PrivateAttributes1795277000000 implements MigrationInterface {
  readonly name = 'PrivateAttributes1795277000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE private_attributes (
  cluster_id text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  incarnation bigint NOT NULL,
  attributes jsonb NOT NULL,
  PRIMARY KEY (cluster_id, node)
)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE private_attributes');
  }
}
