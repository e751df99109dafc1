import pg from 'pg';

/**
 * Gives two databases of one server each other's names, under the programs that use them.
 *
 * @param one URL @param other URL
 * @param meanwhile done while neither takes connections
 */
export async function swapDatabases(one: string, other: string, meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  const [a, b] = [one, other].map((url) => new URL(url).pathname.slice(1));
  const server = new URL(one);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.toString() });
  await client.connect();
  try {
    for (const name of [a, b]) await client.query(`ALTER DATABASE ${String(name)} ALLOW_CONNECTIONS false`);
    await client.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname IN ($1, $2)', [a, b]);
    await meanwhile();
    await client.query(`ALTER DATABASE ${String(a)} RENAME TO ${String(a)}_aside`);
    await client.query(`ALTER DATABASE ${String(b)} RENAME TO ${String(a)}`);
    await client.query(`ALTER DATABASE ${String(a)}_aside RENAME TO ${String(b)}`);
    for (const name of [a, b]) await client.query(`ALTER DATABASE ${String(name)} ALLOW_CONNECTIONS true`);
  } finally {
    await client.end();
  }
}
