import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A snapshot counts only with a record of it in the log. Those that were taken before have none; they are folds, and are made again. */
export class RecordedSnapshots1795271000000 implements MigrationInterface {
  readonly name = 'RecordedSnapshots1795271000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DELETE FROM snapshots');
  }

  /** What folds the events before this version takes any snapshot. */
  async down(): Promise<void> {
    // Nothing to undo: the table is as it was, and may be empty at any time.
  }
}
