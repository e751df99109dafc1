import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { QueryFailedError, type DataSource } from 'typeorm';
import { ensureApplicationRole, grantToApplication } from './application-role.js';
import { createDataSource } from './data-source.js';
import { resumeTransactionOrder } from './resume-transaction-order.js';
import { presentSchema } from './schema-parts.js';

/** Single-key advisory lock that a process holds while it changes the schema. */
const MIGRATION_LOCK = '6004793526128754756';

const MIGRATIONS_RUN = `
SELECT name FROM schema_migrations`;

/**
 * The database holds what migrations are yet to make that did not run by its own record: as after a dump of an older version that was restored over a newer one, of which only what the dump
 * knows is replaced. What is left belongs to another log, so nothing is made of it, and nothing was changed.
 */
export class LeftoverSchema extends Error {
  override readonly name = 'LeftoverSchema';

  constructor(
    /** What there is, in words. */
    readonly present: string,
    /** The oldest of the migrations that did not run. */
    readonly migration: string,
  ) {
    super(
      `The database holds tables of a newer version than its record of migrations says: ${present}, and ${migration} did not run. ` +
        'A dump of an older version was restored over it, it seems, which leaves there what the dump does not know. Nothing was changed. ' +
        'Restore the dump into an empty database (drop this one and create it again, or take another one), and start again.',
    );
  }
}

export interface MigrateOptions {
  readonly applicationRole?: string;
  readonly applicationPassword?: string;
  readonly onWait?: (why: string) => void;
  /** For tests: tries, and ms between them. */
  readonly tries?: { readonly most: number; readonly pauseMs: number };
  /** For tests: after how many ms it is said that another process migrates, and then again. */
  readonly tellAfterMs?: { readonly first: number; readonly again: number };
}

/**
 * Brings the schema up to date. Does nothing when it is; safe when several processes start at once (one migrates, the others wait).
 *
 * @param databaseUrl an account that may create tables in the database
 * @param options.applicationRole a role under which the programs then run with the fewest privileges; left out where they connect
 *   with the account that owns the tables (triggers refuse changes of events to that one too)
 * @param options.applicationPassword makes that role, or gives it this password; left out where it exists
 * @param options.onWait hears, at each try, that others hold what is to be changed; and while another process migrates: after some seconds, and then now and again
 * @returns the names of the migrations that this call ran, oldest first
 * @throws {LeftoverSchema} when the database holds already what is yet to be made
 * @throws {SchemaHeld} when others held it for a quarter of an hour
 * @throws what PostgreSQL says, when a migration fails; that migration is rolled back, those before it stay
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  return underMigrationLock(databaseUrl, options, async (dataSource, client) => {
    await refuseLeftovers(dataSource, client);
    const before = new Set(await migrationsRun(client));
    await whileHeld(() => dataSource.runMigrations(), options);
    const done = (await migrationsRun(client)).filter((name) => !before.has(name));
    await resumeTransactionOrder(client);
    const { applicationRole: role, applicationPassword: password } = options;
    if (role !== undefined && password !== undefined) await ensureApplicationRole(client, role, password);
    if (role !== undefined) await grantToApplication(client, role);
    return done;
  });
}

/**
 * Undoes the newest migrations, and with them what their tables hold.
 *
 * @param steps how many; all when left out
 * @returns how many were undone (fewer than `steps` when there were no more)
 */
export async function migrateDown(databaseUrl: string, steps = Number.POSITIVE_INFINITY): Promise<number> {
  return underMigrationLock(databaseUrl, {}, async (dataSource, client) => {
    const undo = Math.min(steps, (await migrationsRun(client)).length);
    for (let step = 0; step < undo; step++) await dataSource.undoLastMigration();
    return undo;
  });
}

/** Others hold a table that is to be changed: a backup, or a statement that takes long. What was done so far stays; nothing waits behind it. */
export class SchemaHeld extends Error {
  override readonly name = 'SchemaHeld';

  constructor(options: ErrorOptions) {
    super(`${HELD}. Wait for its end, or end it (pg_stat_activity, pg_locks), and start again`, options);
  }
}

const HELD = 'the schema can not be changed, as somebody holds a table of it: a backup (pg_dump), or a statement that takes long';

/** A quarter of an hour. */
const TRIES = { most: 180, pauseMs: 3_000 };

async function whileHeld<T>(
  change: () => Promise<T>,
  { onWait, tries: { most, pauseMs } = TRIES }: Pick<MigrateOptions, 'onWait' | 'tries'>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change();
    } catch (error) {
      if (!isLockNotAvailable(error)) throw error;
      if (attempt >= most) throw new SchemaHeld({ cause: error });
      onWait?.(`${HELD}; it is tried again`);
      await sleep(pauseMs);
    }
  }
}

/** SQLSTATE 55P03, as TypeORM passes it on. */
function isLockNotAvailable(error: unknown): boolean {
  return error instanceof QueryFailedError && (error.driverError as { readonly code?: unknown }).code === '55P03';
}

async function refuseLeftovers(dataSource: DataSource, client: pg.Client): Promise<void> {
  const run = new Set(await migrationsRun(client));
  const pending = dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name).filter((name) => !run.has(name));
  const [oldest] = pending;
  if (oldest === undefined) return;
  const present = await presentSchema(client, new Set(pending));
  if (present !== undefined) throw new LeftoverSchema(present, oldest);
}

/** By the database's own record; empty where it has none. */
async function migrationsRun(client: pg.Client): Promise<readonly string[]> {
  const table = await client.query<{ present: boolean }>(`SELECT to_regclass('schema_migrations') IS NOT NULL AS present`);
  if (table.rows[0]?.present !== true) return [];
  const { rows } = await client.query<{ name: string }>(MIGRATIONS_RUN);
  return rows.map(({ name }) => name);
}

const ELSEWHERE =
  'another process changes the schema, or waits to (its connections are called systole-migrate in pg_stat_activity); this one goes on when that has ended';
/** Most migrations take less. */
const TELL_AFTER_MS = { first: 5_000, again: 30_000 };

/** Says again and again that it is waited. */
async function tellingOfWait(
  locked: Promise<unknown>,
  { onWait, tellAfterMs: { first, again } = TELL_AFTER_MS }: Pick<MigrateOptions, 'onWait' | 'tellAfterMs'>,
): Promise<void> {
  const tell = (): void => {
    onWait?.(ELSEWHERE);
    timer = setTimeout(tell, again);
  };
  let timer = setTimeout(tell, first);
  try {
    await locked;
  } finally {
    clearTimeout(timer);
  }
}

/** How often it is asked for, ms. */
const LOCK_ASKED_MS = 200;

/** Asks again and again: an index that is made beside what goes on waits for every statement of before, and would wait for one that waits for the lock. */
async function locked(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS locked`);
    if (rows[0]?.locked === true) return;
    await sleep(LOCK_ASKED_MS);
  }
}

/** The lock has a connection of its own: TypeORM runs each migration on whichever connection its pool gives it. */
async function underMigrationLock<T>(
  databaseUrl: string,
  options: Pick<MigrateOptions, 'onWait' | 'tellAfterMs'>,
  work: (dataSource: DataSource, client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'systole-migrate' });
  await client.connect();
  try {
    await tellingOfWait(locked(client), options);
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
