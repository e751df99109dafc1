import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UnknownPosition } from '../errors.js';
import { EventStore } from '../event-store.js';
import { orderFinal } from '../testing/order-final.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.js';
import { EventTail, type PlaceInLog } from './event-tail.js';

const META = { actor: 'a', command: 'c', correlationId: 'r' };

describe('the tail of the log', () => {
  let database: ScratchDatabase;
  let store: EventStore;
  let tail: EventTail<{ type: string; data: object }>;
  const followers: (() => void)[] = [];

  beforeEach(async () => {
    database = await createScratchDatabase();
    store = new EventStore(database.pool);
    tail = new EventTail(store, { lookMs: 200 });
  });
  afterEach(async () => {
    for (const leave of followers.splice(0)) leave();
    await tail.close();
    await store.close();
    await database.drop();
  });

  const append = async (stream: string, count: number, size = 1): Promise<void> => {
    for (let step = 0; step < count; step++) await store.append(stream, 'any', [{ type: 'A', data: { text: 'x'.repeat(size) } }], META);
  };
  const settled = async (): Promise<void> => {
    await orderFinal(database.pool);
  };

  /** Follows from a place, and keeps what comes. */
  function followed(from: PlaceInLog): { readonly seen: string[]; readonly ended: unknown[] } {
    const [seen, ended]: [string[], unknown[]] = [[], []];
    let place = from;
    let running = Promise.resolve();
    const wake = (): void => {
      running = running.then(async () => {
        try {
          for (;;) {
            const { events, more } = await tail.after(place);
            for (const { streamId, version, globalPosition, hash } of events) {
              seen.push(`${streamId}@${String(version)}`);
              place = { position: globalPosition, hash };
            }
            if (!more) return;
          }
        } catch (error) {
          ended.push(error);
        }
      });
    };
    followers.push(tail.follow(wake));
    wake();
    return { seen, ended };
  }

  const names = (stream: string, from: number, to: number): readonly string[] =>
    Array.from({ length: to - from + 1 }, (_, index) => `${stream}@${String(from + index)}`);

  it('gives each follower what comes, once and in order, wherever it begins', async () => {
    await append('c1', 3);
    await settled();
    const [all, now] = [followed({ position: 0 }), followed(await tail.end())];
    await append('c1', 2);
    await append('server/audit', 1);
    await expect.poll(() => all.seen).toEqual([...names('c1', 1, 5), 'server/audit@1']);
    await expect.poll(() => now.seen).toEqual([...names('c1', 4, 5), 'server/audit@1']);
  });

  it('is the same for who is further behind than what it keeps', async () => {
    const first = followed(await tail.end());
    // Heavier than all that is kept.
    await append('c1', 8, 1_000_000);
    await expect.poll(() => first.seen).toEqual(names('c1', 1, 8));
    const late = followed({ position: 0 });
    await expect.poll(() => late.seen).toEqual(names('c1', 1, 8));
    await append('c1', 1);
    await expect.poll(() => [first.seen.at(-1), late.seen.at(-1)]).toEqual(['c1@9', 'c1@9']);
  });

  it('never passes over an event that commits late', async () => {
    const { seen } = followed(await tail.end());
    const slow = await database.pool.connect();
    await slow.query('BEGIN');
    await store.appendIn(slow, 'slow', 'any', [{ type: 'A', data: {} }], META);
    await append('quick', 2);
    expect(seen).toEqual([]);
    await slow.query('COMMIT');
    slow.release();
    await expect.poll(() => [...seen].sort()).toEqual(['quick@1', 'quick@2', 'slow@1']);
  });

  it('costs one reading, however many follow', async () => {
    const many = Array.from({ length: 200 }, () => followed({ position: 0 }));
    await expect.poll(() => many.every(({ seen }) => seen.length === 0)).toBe(true);
    let readings = 0;
    const readAll = store.readAll.bind(store);
    store.readAll = (page) => {
      readings += 1;
      return readAll(page);
    };
    await append('c1', 5);
    await expect.poll(() => many.every(({ seen }) => seen.length === 5)).toBe(true);
    // The tail's own looks, of which there are some until it is certain that nothing more comes.
    expect(readings).toBeLessThan(60);
  });

  it('says that a place is unknown when the log went back, and goes on with what there is then', async () => {
    await append('c1', 2);
    await settled();
    const end = await tail.end();
    const { seen, ended } = followed(end);
    await append('c1', 1);
    await expect.poll(() => seen).toEqual(['c1@3']);
    await database.pool.query(
      `BEGIN; ALTER TABLE events DISABLE TRIGGER ALL; DELETE FROM events WHERE version > 1; ALTER TABLE events ENABLE TRIGGER ALL; COMMIT`,
    );
    await expect.poll(() => ended.some((error) => error instanceof UnknownPosition)).toBe(true);
    await expect(tail.after(end)).rejects.toThrow(UnknownPosition);
    const anew = followed(await tail.end());
    await append('c1', 1);
    await expect.poll(() => anew.seen).toEqual(['c1@2']);
  });

  it('tells another event at a place from the one that was seen', async () => {
    await append('c1', 1);
    await settled();
    const { position } = await tail.end();
    await expect(tail.after({ position, hash: '0123456789abcdef' })).rejects.toThrow(UnknownPosition);
    await expect(tail.after({ position: position + 1_000 })).rejects.toThrow(UnknownPosition);
    expect(await tail.after({ position })).toEqual({ events: [], more: false });
  });
});
