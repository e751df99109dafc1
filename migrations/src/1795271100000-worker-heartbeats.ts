import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which workers are up, as `api_heartbeats` says of apis: without one of them nothing is planned, fenced or recovered, and somebody has to say so. Not events,
 * and unlogged: a worker that lives writes its row anew.
 */
export class WorkerHeartbeats1795271100000 implements MigrationInterface {
  readonly name = 'WorkerHeartbeats1795271100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE UNLOGGED TABLE worker_heartbeats (
  worker_id text COLLATE "C" PRIMARY KEY,
  up_since timestamptz NOT NULL,
  beat_at timestamptz NOT NULL,
  beats bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE worker_heartbeats');
  }
}
