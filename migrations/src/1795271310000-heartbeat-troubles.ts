import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a process that is up can't store events, said with its heartbeat: so every process can tell people what one of them met. Null: nothing is known to keep it from it. */
export class HeartbeatTroubles1795271310000 implements MigrationInterface {
  readonly name = 'HeartbeatTroubles1795271310000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['api_heartbeats', 'worker_heartbeats']) await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN trouble text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['api_heartbeats', 'worker_heartbeats']) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN trouble`);
  }
}
