import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataSource, LeftoverSchema, migrate, migrateDown, missingSchema, SchemaHeld, SCHEMA_PARTS, TABLES } from './index.js';

let database: ScratchDatabase;

beforeEach(async () => {
  database = await createScratchDatabase({ empty: true });
});

afterEach(async () => {
  await database.drop();
});

/** Everything that migrations may leave behind, as PostgreSQL describes it. */
async function schema(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ description: string }>(`
    SELECT c.relkind::text || ' ' || c.relname || coalesce(' ' || pg_get_indexdef(i.indexrelid), '') AS description
      FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relnamespace = 'public'::regnamespace AND 'schema_migrations' NOT IN (c.relname, coalesce(i.indrelid::regclass::text, ''))
        AND c.relname <> 'schema_migrations_id_seq'
    UNION ALL
    SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '')
      FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'schema_migrations'
    UNION ALL
    SELECT 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> 'schema_migrations'
    UNION ALL
    SELECT 'trigger ' || tgname || ' ' || tgenabled::text || ' ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'type ' || typname FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
    ORDER BY description`);
  return rows.map(({ description }) => description);
}

/** Columns and functions, by name. */
async function partsThere(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'schema_migrations'
    UNION ALL
    SELECT proname || '(' || pg_get_function_identity_arguments(oid) || ')' FROM pg_proc WHERE pronamespace = 'public'::regnamespace`);
  return rows.map(({ name }) => name.replace(/\b(?:stream|moment|expected_versions|batch_sizes|documents|most) /g, '')).sort();
}

/** Names, oldest first. */
async function migrations(): Promise<readonly string[]> {
  const dataSource = createDataSource(database.url);
  await dataSource.initialize();
  const names = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  await dataSource.destroy();
  return names;
}

/** As `pg_dump --clean` of a database in which only these migrations ran does it: what it knows is dropped and made anew, and nothing else. */
async function restoreOlder(ran: readonly string[]): Promise<void> {
  const known = SCHEMA_PARTS.filter(({ migration }) => ran.includes(migration));
  for (const { name } of known.filter(({ kind }) => kind === 'table')) await database.pool.query(`DROP TABLE ${name} CASCADE`);
  for (const { name } of known.filter(({ kind }) => kind === 'function')) await database.pool.query(`DROP FUNCTION ${name} CASCADE`);
  await database.pool.query('DROP TABLE schema_migrations');
  const dataSource = await createDataSource(database.url).initialize();
  dataSource.migrations.splice(ran.length);
  await dataSource.runMigrations();
  await dataSource.destroy();
}

describe('migrate', () => {
  it('builds the schema once, and then has nothing to do', async () => {
    expect(await migrate(database.url)).toEqual(await migrations());
    const built = await schema();
    expect(built.join('\n')).toContain('r events');
    expect(await migrate(database.url)).toEqual([]);
    expect(await schema()).toEqual(built);
  });

  it('makes the tables that readiness asks for', async () => {
    await migrate(database.url);
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations' ORDER BY tablename COLLATE "C"`,
    );
    expect(rows.map(({ name }) => name)).toEqual(TABLES);
  });

  it('knows of every column and function which migration made it', async () => {
    await migrate(database.url);
    const expected = (names: readonly string[]) =>
      SCHEMA_PARTS.filter(({ kind, migration }) => kind !== 'table' && names.includes(migration))
        .map(({ name }) => name)
        .sort();
    const names = await migrations();
    expect(await partsThere()).toEqual(expected(names));
    for (let ran = names.length - 1; ran >= 0; ran--) {
      await migrateDown(database.url, 1);
      // What a later migration takes away nobody needs.
      const there = (await partsThere()).filter((part) => !['transitions.graph', 'transitions.schedule'].includes(part));
      expect(there).toEqual(expected(names.slice(0, ran)));
    }
  });

  it('refuses a database over which a dump of an older version was restored, says what to do, and changes nothing', async () => {
    const names = await migrations();
    await migrate(database.url);
    await restoreOlder(names.slice(0, names.indexOf('RollCall1795271700000')));
    const before = await schema();
    const refusal: unknown = await migrate(database.url).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LeftoverSchema);
    // Later migrations leave more.
    expect(String(refusal)).toMatch(
      /holds tables of a newer version .*: the tables roll_call, event_term_heads, event_terms\b.*, the function index_event_terms\(/,
    );
    expect(String(refusal)).toContain('and RollCall1795271700000 did not run');
    expect(String(refusal)).toContain('into an empty database');
    expect(await schema()).toEqual(before);
  });

  it('says what of the schema is missing: tables, columns and functions', async () => {
    await migrate(database.url);
    expect(await missingSchema(database.pool)).toBeUndefined();
    await database.pool.query('ALTER TABLE node_leases DROP COLUMN answered');
    await database.pool.query('DROP FUNCTION index_event_terms(text, integer)');
    await database.pool.query('DROP TABLE roll_call');
    expect(await missingSchema(database.pool)).toBe(
      'the table roll_call, the column node_leases.answered, the function index_event_terms(text, integer)',
    );
    expect(await missingSchema(database.pool, new Set(['roll_call', 'node_leases', 'index_event_terms(text, integer)']))).toBeUndefined();
  });

  it('runs each migration once when several processes start together', async () => {
    const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url)));
    expect(runs.flat()).toEqual(await migrations());
  });
});

describe('migrateDown', () => {
  it('does nothing in an empty database', async () => {
    expect(await migrateDown(database.url)).toBe(0);
  });

  it('leaves nothing behind, and migrate then builds the same again', async () => {
    const names = await migrations();
    await migrate(database.url);
    const built = await schema();
    expect(await migrateDown(database.url)).toBe(names.length);
    expect(await schema()).toEqual([]);
    await migrate(database.url);
    expect(await schema()).toEqual(built);
  });

  it('undoes each migration exactly: down and up again gives the same schema at every step', async () => {
    await migrate(database.url);
    const names = await migrations();
    const built = await schema();
    for (let steps = 1; steps <= names.length; steps++) {
      expect(await migrateDown(database.url, steps)).toBe(steps);
      expect(await migrate(database.url)).toEqual(names.slice(names.length - steps));
      expect(await schema()).toEqual(built);
    }
  });
});

describe('a table that somebody reads for long, as a backup does', () => {
  it('is waited for in turns, so that nobody else waits behind the migration', async () => {
    await migrate(database.url);
    const names = await migrations();
    const since = names.length - names.indexOf('DescriptionBytes1795278000000');
    await migrateDown(database.url, since);
    const backup = await database.pool.connect();
    await backup.query('BEGIN');
    await backup.query('LOCK TABLE agent_descriptions IN ACCESS SHARE MODE');
    const heard: string[] = [];
    const held = migrate(database.url, { onWait: (why) => heard.push(why), tries: { most: 2, pauseMs: 500 } });
    await expect(held).rejects.toThrow(SchemaHeld);
    expect(heard).toEqual([expect.stringContaining('pg_dump')]);
    await database.pool.query('SELECT count(*) FROM agent_descriptions');
    await backup.query('ROLLBACK');
    backup.release();
    expect(await migrate(database.url)).toHaveLength(since);
  });
});

it('says that it waits while another process migrates, again and again, and then goes on', async () => {
  const other = await database.pool.connect();
  const heard: string[] = [];
  try {
    await other.query('SELECT pg_advisory_lock(6004793526128754756)');
    const migrating = migrate(database.url, { onWait: (why) => heard.push(why), tellAfterMs: { first: 100, again: 50 } });
    while (heard.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(heard[0]).toContain('another process');
    await other.query('SELECT pg_advisory_unlock(6004793526128754756)');
    expect((await migrating).length).toBeGreaterThan(10);
    const told = heard.length;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(heard.length).toBe(told);
  } finally {
    other.release(true);
  }
});
