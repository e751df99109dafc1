import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The values of secrets that configurations refer to (docs/decisions/0053-secrets.md): encrypted, each with a key of its own, which is wrapped with a master key that is not in the database. Where both are gone the value is, for
 * what the log says of the past, too. The row stays: it says whose it was.
 */
export class ClusterSecrets1795272300000 implements MigrationInterface {
  readonly name = 'ClusterSecrets1795272300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE cluster_secrets (
  cluster_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  parameter text COLLATE "C" NOT NULL,
  agents text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_by text NOT NULL,
  erased_at timestamptz,
  erased_by text,
  key_id text COLLATE "C",
  wrapped_key bytea,
  value bytea,
  PRIMARY KEY (cluster_id, id),
  CHECK ((erased_at IS NULL) = (key_id IS NOT NULL AND wrapped_key IS NOT NULL AND value IS NOT NULL))
)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE cluster_secrets');
  }
}
