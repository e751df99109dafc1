import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database for one test file. */
export interface ScratchDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  /** Ends the pool and removes the database, whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * Creates a database on the server of the environment variable DATABASE_URL, which `test/servers/global-setup.ts` provides. It is a copy of
 * SYSTOLE_TEMPLATE_DATABASE, which has all migrations; without that, or with `empty`, it has no tables.
 *
 * This file is published as `@systole/event-store/testing` so that the specs of every library above this one can use it without an import
 * that breaks the dependency rules. It knows no schema: the template comes from the test setup.
 */
export async function createScratchDatabase(
  options: { readonly empty?: boolean; readonly poolSize?: number } = {},
): Promise<ScratchDatabase> {
  const adminUrl = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const { SYSTOLE_TEMPLATE_DATABASE: template, SYSTOLE_TEMPLATE_STRATEGY: strategy } = process.env;
  const copied =
    options.empty === true || template === undefined ? '' : ` TEMPLATE ${template}${strategy === undefined ? '' : ` STRATEGY ${strategy}`}`;
  const name = `systole_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await administer(adminUrl, `CREATE DATABASE ${name}${copied}`);
  const url = withDatabase(adminUrl, name);
  const pool = new pg.Pool({ connectionString: url, max: options.poolSize ?? 10 });
  // A backend that a test terminates, or that ends with the database, is no error of an idle client.
  pool.on('error', () => undefined);
  return {
    url,
    pool,
    drop: async () => {
      await pool.end();
      await administer(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

function withDatabase(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

async function administer(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
