import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Leases and the presence of apis are told by counters that go on, not by times: whoever judges them measures how long a counter stood still, by its
 * own monotonic clock, so a step of the database's clock neither ends a lease nor keeps it. The times stay for people; nobody searches by them.
 */
export class RenewalCounters1795270400000 implements MigrationInterface {
  readonly name = 'RenewalCounters1795270400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE node_leases ADD COLUMN renewals bigint NOT NULL DEFAULT 0');
    await queryRunner.query('DROP INDEX node_leases_expiry');
    await queryRunner.query('ALTER TABLE api_heartbeats ADD COLUMN beats bigint NOT NULL DEFAULT 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_heartbeats DROP COLUMN beats');
    await queryRunner.query('CREATE INDEX node_leases_expiry ON node_leases (expires_at)');
    await queryRunner.query('ALTER TABLE node_leases DROP COLUMN renewals');
  }
}
