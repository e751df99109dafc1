import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Words of what people gave as reasons. Few events have any, and others cost a look at that. A longer text is found by its beginning: a list of words has a limit. */
export class EventReasons1795271810000 implements MigrationInterface {
  readonly name = 'EventReasons1795271810000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX events_reasons ON events USING gin (to_tsvector('simple', left(data->>'reason', 4000))) WHERE data ? 'reason'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX events_reasons');
  }
}
