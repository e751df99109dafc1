import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStore, type EventStoreOptions } from '../event-store.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';
import { AppendReports } from './append-reports.js';

const meta = { actor: 'alice', command: 'test', correlationId: 'c-1' };
const event = (type: string) => ({ type, data: {} });
const count = (length: number) => Array.from({ length }, (_, index) => index + 1);
/** So long that a test which passes was woken by a notification, not by a look. */
const NEVER_MS = 3_600_000;

let database: ScratchDatabase;
let writer: EventStore;

beforeAll(async () => {
  database = await createScratchDatabase({ poolSize: 20 });
  writer = new EventStore(database.pool);
});

afterAll(async () => {
  await writer.close();
  await database.drop();
});

/** A store as another process would have it. @param options.reports where it is another part of this process */
async function withReader(
  options: number | Pick<EventStoreOptions, 'reports' | 'lookEveryMs'>,
  work: (reader: EventStore) => Promise<void>,
): Promise<void> {
  const pool = new pg.Pool({ connectionString: database.url, max: 5 });
  pool.on('error', () => undefined);
  const reader = new EventStore(pool, typeof options === 'number' ? { lookEveryMs: options } : options);
  try {
    await work(reader);
  } finally {
    await reader.close();
    await pool.end();
  }
}

const killFeeds = () =>
  database.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'systole-feed'`,
  );

describe('subscribe', () => {
  it('gives what is there, then what another process appends, woken by its notification', async () => {
    await withReader(NEVER_MS, async (reader) => {
      await writer.append('live', 'any', [event('1'), event('2')], meta);
      const seen: number[] = [];
      const subscription = reader.subscribe({ streamId: 'live' }, ({ version }) => void seen.push(version));
      await expect.poll(() => seen).toEqual([1, 2]);
      await reader.onAppend(() => undefined);
      await writer.append('live', 'any', [event('3')], meta);
      await expect.poll(() => seen).toEqual([1, 2, 3]);
      await subscription.close();
      await writer.append('live', 'any', [event('4')], meta);
      expect(seen).toEqual([1, 2, 3]);
    });
  });

  it('begins after a version, and after a global position', async () => {
    await withReader(NEVER_MS, async (reader) => {
      const { globalPositions } = await writer.append('begin', 'any', [event('1'), event('2'), event('3')], meta);
      const byVersion: string[] = [];
      const byPosition: string[] = [];
      const subscriptions = [
        reader.subscribe({ streamId: 'begin', afterVersion: 1 }, ({ type }) => void byVersion.push(type)),
        reader.subscribe({ afterPosition: globalPositions[1] ?? 0 }, ({ type }) => void byPosition.push(type)),
      ];
      await expect.poll(() => byVersion).toEqual(['2', '3']);
      await expect.poll(() => byPosition).toEqual(['3']);
      for (const subscription of subscriptions) await subscription.close();
    });
  });

  it('gives each event once and in order, to one stream and to all, while many write', async () => {
    await withReader(NEVER_MS, async (reader) => {
      const start = await writer.lastPosition();
      const one: number[] = [];
      const all = new Map<string, number[]>();
      const subscriptions = [
        reader.subscribe({ streamId: 'many-0' }, ({ version }) => void one.push(version)),
        reader.subscribe({ afterPosition: start }, ({ streamId, version }) => {
          if (streamId.startsWith('many-')) all.set(streamId, [...(all.get(streamId) ?? []), version]);
        }),
      ];
      await Promise.all(
        count(12).map(async (number) => {
          for (const round of count(20)) await writer.append(`many-${number % 4}`, 'any', [event(`${round}`)], meta);
        }),
      );
      await expect.poll(() => one, { timeout: 10_000 }).toEqual(count(60));
      await expect
        .poll(() => [...all.entries()].toSorted(), { timeout: 10_000 })
        .toEqual(['many-0', 'many-1', 'many-2', 'many-3'].map((stream) => [stream, count(60)]));
      for (const subscription of subscriptions) await subscription.close();
    });
  });

  it('waits for a transaction that is still open, then gives its events in their place', async () => {
    await withReader(NEVER_MS, async (reader) => {
      const start = await writer.lastPosition();
      const seen: string[] = [];
      const client = await database.pool.connect();
      await client.query('BEGIN');
      await writer.appendIn(client, 'held', 'any', [event('held')], meta);
      const subscription = reader.subscribe({ afterPosition: start }, ({ type }) => void seen.push(type));
      await writer.append('free', 'any', [event('free')], meta);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(seen).toEqual([]);
      await client.query('COMMIT');
      client.release();
      await expect.poll(() => seen).toEqual(['held', 'free']);
      await subscription.close();
    });
  });

  it('goes on after its connection was lost, without skipping or repeating', async () => {
    await withReader(NEVER_MS, async (reader) => {
      const seen: number[] = [];
      const subscription = reader.subscribe({ streamId: 'lossy' }, ({ version }) => void seen.push(version));
      await reader.onAppend(() => undefined);
      for (const round of count(5)) {
        await writer.append('lossy', 'any', [event('before')], meta);
        await killFeeds();
        await writer.append('lossy', 'any', [event('after')], meta);
        await expect.poll(() => seen, { timeout: 10_000 }).toEqual(count(2 * round));
      }
      await subscription.close();
    });
  });

  it('finds appends of which no notification came', async () => {
    await withReader(50, async (reader) => {
      const seen: number[] = [];
      const subscription = reader.subscribe({ streamId: 'silent' }, ({ version }) => void seen.push(version));
      await reader.onAppend(() => undefined);
      await database.pool.query('SELECT * FROM append_events($1, $2, $3, $4)', [
        'silent',
        [null],
        [1],
        '{"actor":"a","causationId":null,"command":"c","correlationId":"x","data":{},"occurredAt":"\x1e","schemaVersion":1,"streamId":"silent","subjects":[],"type":"A","version":',
      ]);
      await expect.poll(() => seen).toEqual([1]);
      await subscription.close();
    });
  });

  it('ends with what the handler threw, and gives nothing more', async () => {
    await withReader(NEVER_MS, async (reader) => {
      await writer.append('failing', 'any', [event('1'), event('2')], meta);
      const seen: number[] = [];
      const subscription = reader.subscribe({ streamId: 'failing' }, ({ version }) => {
        seen.push(version);
        throw new Error('handler gave up');
      });
      await expect(subscription.done).rejects.toThrow('handler gave up');
      expect(seen).toEqual([1]);
    });
  });

  it('gives one event at a time to a slow handler, and closes after the one it is at', async () => {
    await withReader(NEVER_MS, async (reader) => {
      await writer.append('slow', 'any', count(10).map(String).map(event), meta);
      let running = 0;
      const seen: number[] = [];
      const subscription = reader.subscribe({ streamId: 'slow' }, async ({ version }) => {
        expect(++running).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        seen.push(version);
        running--;
      });
      await expect.poll(() => seen.length).toBeGreaterThan(1);
      await subscription.close();
      const atClose = seen.length;
      expect(running).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(seen).toHaveLength(atClose);
      expect(atClose).toBeLessThan(10);
    });
  });
});

describe('onAppend', () => {
  it('reports appends of this process and of others, also those in a caller’s transaction that says so', async () => {
    await withReader(NEVER_MS, async (reader) => {
      const heard: string[] = [];
      const forget = await reader.onAppend((streamId, version) => void heard.push(`${streamId}@${version}`));
      await reader.append('mine', 'any', [event('A')], meta);
      expect(heard).toEqual(['mine@1']);
      await writer.append('theirs', 'any', [event('A'), event('B')], meta);
      await expect.poll(() => heard).toEqual(['mine@1', 'theirs@2']);
      const client = await database.pool.connect();
      await client.query('BEGIN');
      const inside = await writer.appendIn(client, 'inside', 'any', [event('A')], meta);
      await client.query('COMMIT');
      client.release();
      writer.announce(inside);
      await expect.poll(() => heard).toEqual(['mine@1', 'theirs@2', 'inside@1']);
      forget();
      await reader.append('mine', 'any', [event('B')], meta);
      expect(heard).toHaveLength(3);
    });
  });

  it('reports many streams with long names at once', async () => {
    await withReader(NEVER_MS, async (reader) => {
      const heard = new Set<string>();
      await reader.onAppend((streamId) => void heard.add(streamId));
      const streams = count(100).map((number) => `${number}-${'ü'.repeat(250)}`);
      await Promise.all(streams.map((stream) => writer.append(stream, 'any', [event('A')], meta)));
      await expect.poll(() => heard).toEqual(new Set(streams));
    });
  });

  it('reports after a lost connection what was appended meanwhile', async () => {
    await withReader(NEVER_MS, async (reader) => {
      const heard = new Map<string, number>();
      await reader.onAppend((streamId, version) => void heard.set(streamId, version));
      await killFeeds();
      await writer.append('meanwhile', 'any', [event('A')], meta);
      await expect.poll(() => heard.get('meanwhile'), { timeout: 5_000 }).toBe(1);
    });
  });
});

describe('stores that share their reports', () => {
  it('hear of one another before the append is answered, once, and no more when they are closed', async () => {
    const reports = new AppendReports();
    const heard: string[] = [];
    const other = new EventStore(database.pool, { reports });
    try {
      await withReader({ reports, lookEveryMs: NEVER_MS }, async (reader) => {
        await reader.onAppend((streamId, version) => void heard.push(`${streamId} ${String(version)}`));
        await other.append('shared', 'any', [event('1')], meta);
        expect(heard).toEqual(['shared 1']);
        await other.append('shared', 'any', [event('2'), event('3')], meta);
        expect(heard).toEqual(['shared 1', 'shared 3']);
        // Notifications come after all that: of another stream whatever came of these is there already.
        await writer.append('apart', 'any', [event('1')], meta);
        await expect.poll(() => heard).toEqual(['shared 1', 'shared 3', 'apart 1']);
      });
      await other.append('shared', 'any', [event('4')], meta);
      expect(heard).toHaveLength(3);
    } finally {
      await other.close();
    }
  });
});
