import pg, { type Client } from 'pg';

/** What the programs may do: everything with the data of all tables, but only read and append events, and never change whose installation it is. Never change the schema. */
function grants(role: string): readonly string[] {
  return [
    `GRANT USAGE ON SCHEMA public TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
    `REVOKE UPDATE, DELETE, TRUNCATE ON events FROM ${role}`,
    `REVOKE UPDATE, DELETE, TRUNCATE ON installation FROM ${role}`,
    `REVOKE INSERT, UPDATE, DELETE ON schema_migrations FROM ${role}`,
  ];
}

/**
 * Makes the role under which the programs run, or gives it another password. It may log in and nothing else; what it may do in the database it is granted.
 *
 * @throws what PostgreSQL says when the account may not make roles
 */
export async function ensureApplicationRole(client: Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
  await client.query(
    `${verb} ROLE ${pg.escapeIdentifier(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD ${pg.escapeLiteral(password)}`,
  );
}

/**
 * Grants an existing role what the programs need, so that they can run with an account that owns nothing. Can be repeated; has to be after
 * each change of the schema.
 *
 * @throws what PostgreSQL says when there is no such role
 */
export async function grantToApplication(client: Client, role: string): Promise<void> {
  for (const statement of grants(pg.escapeIdentifier(role))) await client.query(statement);
}
