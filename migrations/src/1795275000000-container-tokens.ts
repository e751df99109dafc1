import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In which container of a bundle the agent is that a token was made for, and on which host: it ends with that. Those from before say nothing of it, and end with the next start of their container. */
export class ContainerTokens1795275000000 implements MigrationInterface {
  readonly name = 'ContainerTokens1795275000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE tokens
  ADD COLUMN container_host text,
  ADD COLUMN container text,
  ADD CHECK ((container IS NULL) = (container_host IS NULL)),
  ADD CHECK (container IS NULL OR role = 'agent')`);
    await queryRunner.query(
      'CREATE INDEX tokens_containers ON tokens (cluster_id, container_host) WHERE container_host IS NOT NULL AND revoked_at IS NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX tokens_containers');
    await queryRunner.query('ALTER TABLE tokens DROP COLUMN container_host, DROP COLUMN container');
  }
}
