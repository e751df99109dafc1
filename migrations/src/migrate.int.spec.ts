import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataSource, migrate, migrateDown, TABLES } from './index.js';

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

/** Names, oldest first. */
async function migrations(): Promise<readonly string[]> {
  const dataSource = createDataSource(database.url);
  await dataSource.initialize();
  const names = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  await dataSource.destroy();
  return names;
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
