import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How far a token's rights go: until when, in which clusters, and whether its holder may see secrets. Tokens that there were keep what they could do: for ever,
 * everywhere, and whoever read a configuration read the secrets in it.
 *
 * Names of people's tokens become unique among those that are valid, since events name who did something by them: of several with one name all but the
 * oldest are called by the beginning of their id as well. Agents are named by their node.
 */
export class TokenRights1795272100000 implements MigrationInterface {
  readonly name = 'TokenRights1795272100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX tokens_name');
    await queryRunner.query('ALTER TABLE tokens DROP COLUMN expires_at, DROP COLUMN clusters, DROP COLUMN sees_secrets');
  }
}

const UP = [
  // `clusters`: ids; null is everywhere.
  `
ALTER TABLE tokens
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN clusters text[],
  ADD COLUMN sees_secrets boolean NOT NULL DEFAULT false`,
  `UPDATE tokens SET sees_secrets = true WHERE role <> 'agent'`,
  // An agent whose token ends of itself stops what runs on its node; where it belongs is said by its own columns.
  `
ALTER TABLE tokens
  ADD CHECK (role <> 'agent' OR (expires_at IS NULL AND clusters IS NULL AND NOT sees_secrets)),
  ADD CHECK (cardinality(clusters) > 0)`,
  `
UPDATE tokens SET name = tokens.name || '-' || left(tokens.id, 8)
FROM (
  SELECT id, row_number() OVER (PARTITION BY name ORDER BY created_at, id) AS place
  FROM tokens WHERE revoked_at IS NULL AND role <> 'agent'
) AS named
WHERE named.id = tokens.id AND named.place > 1`,
  `CREATE UNIQUE INDEX tokens_name ON tokens (name) WHERE revoked_at IS NULL AND role <> 'agent'`,
];
