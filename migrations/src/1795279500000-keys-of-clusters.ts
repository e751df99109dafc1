import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which cluster the request was about that an Idempotency-Key was used for: the name that it was asked by may be another one's later. Null: about none, or from before this column. */
export class KeysOfClusters1795279500000 implements MigrationInterface {
  readonly name = 'KeysOfClusters1795279500000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_keys ADD COLUMN cluster_id text COLLATE "C"');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_keys DROP COLUMN cluster_id');
  }
}
