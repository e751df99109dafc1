import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The newest number of what each agent has had written (docs/decisions/0096-what-is-carried-out-late.md): one row for each node that has written anything. It counts within one life of the node. A row that is
 * lost costs no more than that what is under way at that moment is not told from what was overtaken.
 */
export class AgentWrites1795279000000 implements MigrationInterface {
  readonly name = 'AgentWrites1795279000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE agent_writes (
  cluster_id text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  incarnation bigint NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (cluster_id, node)
) WITH (fillfactor = 70)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE agent_writes');
  }
}
