import pg from 'pg';

/**
 * Ends all connections to a database, and lets none in until something was done.
 *
 * @param databaseUrl `postgres://user@host:port/database`
 */
export async function withoutConnections(databaseUrl: string, meanwhile: () => Promise<void>): Promise<void> {
  const server = new URL(databaseUrl);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.toString() });
  await client.connect();
  try {
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await client.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [name]);
    await meanwhile();
  } finally {
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await client.end();
  }
}
