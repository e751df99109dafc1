import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidEvent, SchemaMissing, TransactionMustRestart, VersionConflict } from '../errors.js';
import { EventStore } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';

const meta = { actor: 'alice', command: 'test', correlationId: 'c-1' };
const event = (type: string) => ({ type, data: {} });
const count = (length: number) => Array.from({ length }, (_, index) => index + 1);

let database: ScratchDatabase;
let store: EventStore;

beforeAll(async () => {
  database = await createScratchDatabase();
  store = new EventStore(database.pool);
});

afterAll(async () => {
  await store.close();
  await database.drop();
});

const typesOf = async (streamId: string) => (await store.readStream(streamId)).map(({ type }) => type);

describe('append', () => {
  it('numbers events from 1, and gives back what was appended', async () => {
    const data = { name: 'ä "quoted"\n\u2028', size: 1e21, small: 1e-7, zero: -0, nested: { b: [null, true, -0.5], a: {} } };
    const result = await store.append(
      'first',
      'no-stream',
      [
        { type: 'Opened', data: { ...data, absent: undefined }, subjects: ['n1', 'db', 'a "b", {c}'] },
        { type: 'Closed', data: {} },
      ],
      { ...meta, causationId: 'c-0' },
    );
    expect(result).toMatchObject({ streamId: 'first', firstVersion: 1, lastVersion: 2 });
    const [opened, closed] = await store.readStream('first');
    expect(opened).toEqual({
      globalPosition: result.globalPositions[0],
      streamId: 'first',
      version: 1,
      type: 'Opened',
      schemaVersion: 1,
      data: { ...data, zero: 0 },
      subjects: ['n1', 'db', 'a "b", {c}'],
      actor: 'alice',
      command: 'test',
      correlationId: 'c-1',
      causationId: 'c-0',
      occurredAt: result.occurredAt,
      prevHash: '0'.repeat(64),
      hash: closed?.prevHash,
    });
    expect(closed).toMatchObject({ globalPosition: result.globalPositions[1], version: 2, type: 'Closed', data: {}, subjects: [] });
    expect(await store.verifyChain({ streamId: 'first' })).toEqual({ intact: true, events: 2, streams: 1 });
  });

  it('refuses an append whose expected version is not the stream’s', async () => {
    await store.append('second', 'no-stream', [event('A')], meta);
    await expect(store.append('second', 0, [event('X')], meta)).rejects.toThrow(new VersionConflict('second', 0, 1));
    await expect(store.append('second', 'no-stream', [event('X')], meta)).rejects.toBeInstanceOf(VersionConflict);
    await expect(store.append('second', 2, [event('X')], meta)).rejects.toMatchObject({ expected: 2, actual: 1 });
    await store.append('second', 1, [event('B')], meta);
    await store.append('second', 'any', [event('C')], meta);
    expect(await typesOf('second')).toEqual(['A', 'B', 'C']);
  });

  it('refuses what JSON or PostgreSQL cannot hold, and says where it is', async () => {
    const refused = async (data: object, pointer: string) => {
      await expect(store.append('third', 'any', [event('A'), { type: 'B', data }], meta)).rejects.toMatchObject({ pointer });
    };
    await refused({ a: [1, Number.NaN] }, '/data/a/1');
    await refused({ 'x/y': '\0' }, '/data/x~1y');
    await refused({ text: '\ud800' }, '/data/text');
    await expect(store.append('third', 'any', [], meta)).rejects.toBeInstanceOf(InvalidEvent);
    await expect(store.append('', 'any', [event('A')], meta)).rejects.toMatchObject({ pointer: '/streamId' });
    await expect(store.append('x'.repeat(256), 'any', [event('A')], meta)).rejects.toMatchObject({ pointer: '/streamId' });
    await expect(store.append('a\x1eb', 'any', [event('A')], meta)).rejects.toMatchObject({ pointer: '/streamId' });
    await expect(store.append('third', 'any', [event('A')], { ...meta, actor: '' })).rejects.toMatchObject({ pointer: '/actor' });
    expect(await store.readStream('third')).toEqual([]);
  });

  it('lets exactly one of many writers with the same expected version win', async () => {
    const writers = count(32).map((writer) => store.append('race', 'no-stream', [event(`W${writer}`)], meta));
    const outcomes = await Promise.allSettled(writers);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toEqual(new VersionConflict('race', 0, 1));
    }
  });

  it('fails an append that PostgreSQL refuses, and not those that went with it', async () => {
    const tooLongForAnIndex = { type: randomBytes(8_000).toString('base64'), data: {} };
    const outcomes = await Promise.allSettled(
      [event('A'), event('B'), tooLongForAnIndex, event('C')].map((each) => store.append('together', 'any', [each], meta)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    // Each is tried by itself then, side by side: nobody who waits for none of them is promised an order.
    expect((await typesOf('together')).toSorted()).toEqual(['A', 'B', 'C']);
  });

  it('keeps the versions of 32 concurrent writers in several processes without gaps, and each batch together', async () => {
    const pools = count(4).map(() => new pg.Pool({ connectionString: database.url, max: 8 }));
    const stores = pools.map((pool) => new EventStore(pool));
    const results = await Promise.all(
      count(32).map(async (writer) => {
        const mine = stores[writer % stores.length] ?? store;
        const appended = [];
        for (const round of count(10)) {
          const batch = count(1 + (round % 3)).map((step) => event(`W${writer}.${round}.${step}`));
          appended.push(await mine.append('busy', 'any', batch, meta));
        }
        return appended;
      }),
    );
    const events = await store.readStream('busy');
    expect(events.map(({ version }) => version)).toEqual(count(events.length));
    for (const { firstVersion, lastVersion } of results.flat()) {
      const batch = events.slice(firstVersion - 1, lastVersion).map(({ type }) => type.split('.').slice(0, 2).join('.'));
      expect(new Set(batch).size).toBe(1);
    }
    const positions = events.map(({ globalPosition }) => globalPosition);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    const times = events.map(({ occurredAt }) => occurredAt);
    expect(times).toEqual(times.toSorted());
    expect(await store.verifyChain({ streamId: 'busy' })).toMatchObject({ intact: true, events: events.length });
    for (const each of stores) await each.close();
    for (const pool of pools) await pool.end();
  });
});

describe('appendIn', () => {
  it('appends when, and only when, the caller’s transaction commits', async () => {
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await store.appendIn(client, 'within', 'no-stream', [event('A')], meta);
      expect(await store.readStream('within')).toEqual([]);
      await client.query('ROLLBACK');
      expect(await store.readStream('within')).toEqual([]);
      await client.query('BEGIN');
      await store.appendIn(client, 'within', 'no-stream', [event('B')], meta);
      await client.query('COMMIT');
      expect(await typesOf('within')).toEqual(['B']);
    } finally {
      client.release();
    }
  });

  it('leaves the transaction usable after a conflict', async () => {
    await store.append('kept', 'no-stream', [event('A')], meta);
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await expect(store.appendIn(client, 'kept', 0, [event('X')], meta)).rejects.toBeInstanceOf(VersionConflict);
      await store.appendIn(client, 'kept', 1, [event('B')], meta);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    expect(await typesOf('kept')).toEqual(['A', 'B']);
  });

  it('asks to start over when the transaction does not see the stream’s newest event', async () => {
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await client.query('SELECT 1 FROM events LIMIT 1');
      await store.append('moved-on', 'no-stream', [event('A')], meta);
      await expect(store.appendIn(client, 'moved-on', 'any', [event('B')], meta)).rejects.toBeInstanceOf(TransactionMustRestart);
      await client.query('ROLLBACK');
    } finally {
      client.release();
    }
    expect(await typesOf('moved-on')).toEqual(['A']);
  });
});

describe('when PostgreSQL fails', () => {
  it('says that migrations are missing', async () => {
    const empty = await createScratchDatabase({ empty: true });
    const lost = new EventStore(empty.pool);
    await expect(lost.append('s', 'any', [event('A')], meta)).rejects.toBeInstanceOf(SchemaMissing);
    await expect(lost.readStream('s')).rejects.toThrow(/lacks the table events: .* run them/);
    await lost.close();
    await empty.drop();
  });

  it('says that nothing was appended when it cannot be reached', async () => {
    const pool = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    const unreachable = new EventStore(pool);
    const failure = unreachable.append('s', 'any', [event('A')], meta);
    await expect(failure).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'none' });
    await unreachable.close();
    await pool.end();
  });

  it('says that the outcome is unknown when the connection breaks during an append, and works again afterwards', async () => {
    const blocker = await database.pool.connect();
    await blocker.query('BEGIN');
    await store.appendIn(blocker, 'broken', 'any', [event('A')], meta);
    const append = store.append('broken', 'any', [event('B')], meta);
    const broken = expect(append).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'unknown', trouble: 'not-open' });
    await expect
      .poll(async () => {
        const { rowCount } = await database.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event = 'advisory' AND query LIKE '%append_events%'`,
        );
        return rowCount;
      })
      .toBe(1);
    await broken;
    await blocker.query('COMMIT');
    blocker.release();
    await store.append('broken', 'any', [event('C')], meta);
    expect(await typesOf('broken')).toEqual(['A', 'C']);
  });
});
