import type { MigrationInterface, QueryRunner } from 'typeorm';

/** {@link DescriptionBytes1795278000000} had the database compute the size of agents' meta-data at first, for which it wrote the table anew. Where that has run the sizes stay, and are written from now on. */
export class WrittenDescriptionBytes1795279300000 implements MigrationInterface {
  readonly name = 'WrittenDescriptionBytes1795279300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE agent_descriptions ALTER COLUMN bytes DROP EXPRESSION IF EXISTS');
  }

  /** A column that is written is what the migration before this one makes. */
  async down(): Promise<void> {
    await Promise.resolve();
  }
}
