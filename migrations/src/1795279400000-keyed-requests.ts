import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where the events of requests with an Idempotency-Key are looked for, wherever they stand in the log. Ids that follow from a key are UUIDs of version 8; those of all other commands are random ones, and cost
 * nothing here.
 *
 * The whole log is read for it, and nothing could be appended meanwhile if it were made in a transaction. What an earlier try left of it, which nobody uses, goes first.
 */
export class KeyedRequests1795279400000 implements MigrationInterface {
  readonly name = 'KeyedRequests1795279400000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS events_keyed_requests');
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY events_keyed_requests ON events (stream_id, causation_id, version) WHERE substr(causation_id, 15, 1) = '8'`,
    );
  }

  /** In a transaction, as every migration is undone: it reads nothing. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX events_keyed_requests');
  }
}
