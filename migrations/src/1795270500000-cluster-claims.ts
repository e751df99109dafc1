import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which worker moves which cluster now: `holder` names one claim, `renewals` is raised by it as long as it lives. Not events, and unlogged: claims that a
 * crash of the server takes away are made anew.
 */
export class ClusterClaims1795270500000 implements MigrationInterface {
  readonly name = 'ClusterClaims1795270500000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE UNLOGGED TABLE cluster_claims (
  cluster_id text COLLATE "C" PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  renewals bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE cluster_claims');
  }
}
