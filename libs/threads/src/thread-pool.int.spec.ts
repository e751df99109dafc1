import { element, type XmlElement } from '@systole/cib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Order, Report } from './testing/orders.js';
import { CallerGone, ThreadLost, ThreadsClosed, TookTooLong, WorkBroke } from './thread-errors.js';
import { threadEntry } from './thread-entry.js';
import { ThreadPool, type ThreadPoolOptions, type Work } from './thread-pool.js';

type Pool = ThreadPool<Order, Report, string>;

const pools: Pool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function poolOf(options: Partial<ThreadPoolOptions> = {}): Pool {
  const pool: Pool = new ThreadPool({
    name: 'thread',
    entry: () => threadEntry('testing/obedient-thread', import.meta.url),
    most: 1,
    timeoutMs: 60_000,
    memory: {},
    kept: { length: 100_000 },
    ...options,
  });
  pools.push(pool);
  return pool;
}

async function reportOf(pool: Pool, order: Order, work: Partial<Work<Order>> = {}): Promise<Report> {
  return (await pool.run({ task: () => order, ...work })).result;
}

const say = (text: string): Order => ({ order: 'say', text });
const cib = (...ids: readonly string[]): XmlElement =>
  element(
    'resources',
    {},
    ids.map((id) => element('primitive', { id }, [])),
  );

describe('a pool of threads', () => {
  it('has a thread know trees by what has changed in them, and gives the work on one to a free thread that knows it', async () => {
    const pool = poolOf({ most: 2 });
    const show = (key: string, tree: XmlElement) => reportOf(pool, { order: 'show', key }, { tell: { key, tree } });
    const [a, b] = await Promise.all([show('a', cib('r1')), show('b', cib('r2'))]);
    expect(a.threadId).not.toBe(b.threadId);
    for (const ids of [['r1', 'r3'], ['r3'], ['r3', 'r4', 'r5']]) {
      const shown = await show('b', cib(...ids));
      expect(shown.threadId).toBe(b.threadId);
      expect([...shown.said.matchAll(/id="(\w+)"/g)].map(([, id]) => id)).toEqual(ids);
      expect((await show('a', cib(...ids))).threadId).toBe(a.threadId);
    }
  });

  it('tells a tree whole once when the thread knows another one', async () => {
    const pool = poolOf();
    await reportOf(pool, { order: 'diverge' });
    const shown = await reportOf(pool, { order: 'show', key: 'a' }, { tell: { key: 'a', tree: cib('r1') } });
    expect(shown.said).toContain('r1');
  });

  it('refuses a tree that was never told, after it was looked for twice', async () => {
    await expect(reportOf(poolOf(), { order: 'show', key: 'a' })).rejects.toThrow(WorkBroke);
  });

  it('has owners take turns, and makes a task when its turn has come', async () => {
    const pool = poolOf();
    const made: string[] = [];
    const work = (owner: string, text: string): Promise<Report> =>
      reportOf(pool, say(text), {
        owner,
        task: () => {
          made.push(text);
          return say(text);
        },
      });
    const all = [...['a1', 'a2', 'a3'].map((text) => work('a', text)), work('b', 'b1')];
    expect(made).toEqual(['a1']);
    expect(pool.waiting).toBe(3);
    await Promise.all(all);
    expect(made).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('has what a task gives change hands', async () => {
    const pool = poolOf();
    const { bytes } = await reportOf(pool, { order: 'give' });
    expect(bytes).toEqual(new Uint8Array(1_000).fill(7));
    expect((await reportOf(pool, { order: 'left' })).said).toBe('0');
  });

  it('tells what follows a result, or why it does not', async () => {
    const pool = poolOf();
    const done = await pool.run({ task: () => ({ order: 'follow', breaks: false }) });
    expect(await done.later).toBe('then');
    const broken = await pool.run({ task: () => ({ order: 'follow', breaks: true }) });
    expect(broken.result.said).toBe('first');
    await expect(broken.later).rejects.toThrow(/nothing follows/);
    expect((await pool.run({ task: () => say('a') })).later).toBeUndefined();
  });

  it('rehearses when nothing else is to be done', async () => {
    const pool = poolOf({ rehearses: true });
    await expect.poll(async () => (await reportOf(pool, { order: 'rehearsed' })).said).toBe('100');
  });

  describe('when something ends early', () => {
    /** That a thread serves, after what was before: another one than before, where it was ended. */
    const served = async (pool: Pool): Promise<number> => {
      const { said, threadId } = await reportOf(pool, say('on'));
      expect(said).toBe('on');
      return threadId;
    };

    it('takes work whose caller has gone from the line, and nobody notices', async () => {
      const pool = poolOf();
      const thread = await served(pool);
      const gone = new AbortController();
      const first = reportOf(pool, say('first'));
      const second = reportOf(pool, say('second'), { gone: gone.signal });
      gone.abort();
      await expect(second).rejects.toThrow(CallerGone);
      expect((await first).said).toBe('first');
      expect(await served(pool)).toBe(thread);
    });

    it('tells who waits when no other thread can be started, and goes on when one can', async () => {
      let starts = 0;
      const pool = poolOf({
        entry: () => {
          if (++starts === 2) throw new Error('resource temporarily unavailable');
          return threadEntry('testing/obedient-thread', import.meta.url);
        },
      });
      const gone = new AbortController();
      const spins = reportOf(pool, { order: 'spin' }, { gone: gone.signal });
      const waits = reportOf(pool, say('waits'));
      gone.abort();
      await expect(spins).rejects.toThrow(CallerGone);
      await expect(waits).rejects.toThrow(new ThreadLost('no thread could be started: resource temporarily unavailable', false));
      expect(await served(pool)).toBeGreaterThan(0);
    });

    it('ends the thread whose caller has gone; the next one gets another', async () => {
      const pool = poolOf();
      const thread = await served(pool);
      const gone = new AbortController();
      const spinning = reportOf(pool, { order: 'spin' }, { gone: gone.signal });
      const next = served(pool);
      gone.abort();
      await expect(spinning).rejects.toThrow(CallerGone);
      expect(await next).not.toBe(thread);
    });

    it('ends what takes too long', async () => {
      const pool = poolOf({ timeoutMs: 6_000 });
      await served(pool);
      await expect(reportOf(pool, { order: 'spin' })).rejects.toThrow(TookTooLong);
      await served(pool);
    });

    it('ends what takes too much memory, and not the process', async () => {
      const pool = poolOf({ memory: { oldMib: 24 } });
      const error: unknown = await reportOf(pool, { order: 'fill' }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ThreadLost);
      expect(error).toMatchObject({ outOfMemory: true });
      await served(pool);
    });

    it('tells of a thread that ends by itself, and tells the next one all', async () => {
      const pool = poolOf();
      const tell = { key: 'a', tree: cib('r1') };
      await reportOf(pool, { order: 'show', key: 'a' }, { tell });
      await expect(reportOf(pool, { order: 'exit' })).rejects.toThrow(/a thread ended with code 3/);
      expect((await reportOf(pool, { order: 'show', key: 'a' }, { tell })).said).toContain('r1');
    });

    it('tells what broke, and the thread goes on', async () => {
      const pool = poolOf();
      const thread = await served(pool);
      await expect(reportOf(pool, { order: 'break' })).rejects.toThrow(/it broke/);
      const unwritable: XmlElement = { kind: 'element', name: 'a b', attributes: {}, children: [] };
      await expect(reportOf(pool, { order: 'show', key: 'a' }, { tell: { key: 'a', tree: unwritable } })).rejects.toThrow(/XML name/);
      expect(await served(pool)).toBe(thread);
    });

    it('refuses what comes after its close, and gives up what was there', async () => {
      const pool = poolOf();
      const refused = Promise.all(
        [reportOf(pool, { order: 'spin' }), reportOf(pool, say('a'))].map((one) => expect(one).rejects.toThrow(ThreadsClosed)),
      );
      await pool.close();
      await refused;
      await expect(reportOf(pool, say('b'))).rejects.toThrow(/the threads are closed/);
    });
  });
});
