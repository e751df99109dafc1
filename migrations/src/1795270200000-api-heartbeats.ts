import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When each api was up to receive renewals of leases: without a break from `up_since` to `beat_at`. Times are the database's. Not events; an emptied
 * table only delays the judgement of leases. It concerns every cluster, so it is not keyed by one.
 */
export class ApiHeartbeats1795270200000 implements MigrationInterface {
  readonly name = 'ApiHeartbeats1795270200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE api_heartbeats (
  api_id text COLLATE "C" PRIMARY KEY,
  up_since timestamptz NOT NULL,
  beat_at timestamptz NOT NULL
) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE api_heartbeats');
  }
}
