import pg from 'pg';
import type { DataSource } from 'typeorm';
import { ensureApplicationRole, grantToApplication } from './application-role.js';
import { createDataSource } from './data-source.js';
import { resumeTransactionOrder } from './resume-transaction-order.js';

/** Single-key advisory lock that a process holds while it changes the schema. */
const MIGRATION_LOCK = '6004793526128754756';

const COUNT_MIGRATIONS = `
SELECT count(*)::integer AS count FROM schema_migrations`;

/**
 * Brings the schema up to date. Does nothing when it is; safe when several processes start at once (one migrates, the others wait).
 *
 * @param databaseUrl an account that may create tables in the database
 * @param options.applicationRole a role under which the programs then run with the fewest privileges; left out where they connect
 *   with the account that owns the tables (triggers refuse changes of events to that one too)
 * @param options.applicationPassword makes that role, or gives it this password; left out where it exists
 * @returns the names of the migrations that this call ran, oldest first
 * @throws what PostgreSQL says, when a migration fails; that migration is rolled back, those before it stay
 */
export async function migrate(
  databaseUrl: string,
  options: { readonly applicationRole?: string; readonly applicationPassword?: string } = {},
): Promise<readonly string[]> {
  return underMigrationLock(databaseUrl, async (dataSource, client) => {
    const done = await dataSource.runMigrations();
    await resumeTransactionOrder(client);
    const { applicationRole: role, applicationPassword: password } = options;
    if (role !== undefined && password !== undefined) await ensureApplicationRole(client, role, password);
    if (role !== undefined) await grantToApplication(client, role);
    return done.map((migration) => migration.name);
  });
}

/**
 * Undoes the newest migrations, and with them what their tables hold.
 *
 * @param steps how many; all when left out
 * @returns how many were undone (fewer than `steps` when there were no more)
 */
export async function migrateDown(databaseUrl: string, steps = Number.POSITIVE_INFINITY): Promise<number> {
  return underMigrationLock(databaseUrl, async (dataSource, client) => {
    const table = await client.query<{ present: boolean }>(`SELECT to_regclass('schema_migrations') IS NOT NULL AS present`);
    if (table.rows[0]?.present !== true) return 0;
    const executed = await client.query<{ count: number }>(COUNT_MIGRATIONS);
    const undo = Math.min(steps, executed.rows[0]?.count ?? 0);
    for (let step = 0; step < undo; step++) await dataSource.undoLastMigration();
    return undo;
  });
}

/** The lock has a connection of its own: TypeORM runs each migration on whichever connection its pool gives it. */
async function underMigrationLock<T>(databaseUrl: string, work: (dataSource: DataSource, client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'systole-migrate' });
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    const dataSource = await createDataSource(databaseUrl).initialize();
    try {
      return await work(dataSource, client);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await client.end();
  }
}
