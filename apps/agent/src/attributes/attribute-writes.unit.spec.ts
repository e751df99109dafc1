import type { AttributeChange } from '@systole/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Patience } from '../server/patience.js';
import { ServerRefused, ServerUnavailable } from '../server/server-connection.js';
import { AttributeWrites } from './attribute-writes.js';

const change = (name: string, add?: number): AttributeChange => ({
  name,
  value: '1',
  lifetime: 'reboot',
  ...(add === undefined ? {} : { add }),
});

/** A server that answers when it is told to. */
class Server {
  readonly requests: (readonly string[])[] = [];
  private readonly answers: (() => void)[] = [];
  refuses = '';
  isAway = false;

  readonly send = async (changes: readonly AttributeChange[]): Promise<void> => {
    const names = changes.map(({ name }) => name);
    this.requests.push(names);
    if (this.isAway) throw new ServerUnavailable('away');
    await new Promise<void>((resolve) => this.answers.push(resolve));
    if (names.includes(this.refuses)) throw new ServerRefused(422, 'invalid-request', `${this.refuses} is refused`);
  };

  async answer(): Promise<void> {
    this.answers.shift()?.();
    for (let tick = 0; tick < 10; tick += 1) await Promise.resolve();
  }
}

const writes = (server: Server, isConnected = (): boolean => true): AttributeWrites =>
  new AttributeWrites({
    send: (changes, bounded) => bounded(() => server.send(changes)),
    isConnected,
    patience: new Patience(),
    stop: new AbortController().signal,
  });

describe('changes of attributes', () => {
  it('that are asked for while a request is under way go together in the next one, in their order', async () => {
    const server = new Server();
    const to = writes(server);
    const all = ['a', 'b', 'c', 'a'].map((name) => to.write([change(name)], 1_000));
    await server.answer();
    await server.answer();
    await Promise.all(all);
    expect(server.requests).toEqual([['a'], ['b', 'c', 'a']]);
  });

  it('of which one is refused are written all but that, and only who asked for it is told', async () => {
    const server = new Server();
    server.refuses = 'b';
    const to = writes(server);
    const outcomes = Promise.allSettled(['a', 'b', 'c'].map((name) => to.write([change(name)], 1_000)));
    for (let request = 0; request < 4; request += 1) await server.answer();
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(server.requests).toEqual([['a'], ['b', 'c'], ['b'], ['c']]);
  });

  it('that count up go by themselves', async () => {
    const server = new Server();
    const to = writes(server);
    const all = [
      to.write([change('a')], 1_000),
      to.write([change('b')], 1_000),
      to.write([change('n', 1)], 1_000),
      to.write([change('c')], 1_000),
    ];
    for (let request = 0; request < 4; request += 1) await server.answer();
    await Promise.all(all);
    expect(server.requests).toEqual([['a'], ['b'], ['n'], ['c']]);
  });

  it('are no more in one request than the server takes', async () => {
    const server = new Server();
    const to = writes(server);
    const all = Array.from({ length: 1_202 }, (_, index) => to.write([change(`x${String(index)}`)], 1_000));
    for (let request = 0; request < 3; request += 1) await server.answer();
    await Promise.all(all);
    expect(server.requests.map(({ length }) => length)).toEqual([1, 1_000, 201]);
  });
});

describe('changes of attributes while no server answers', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** What became of a change so far. */
  const outcomes = (promises: Readonly<Record<string, Promise<void>>>): Readonly<Record<string, string>> => {
    const seen: Record<string, string> = {};
    for (const [name, promise] of Object.entries(promises)) {
      seen[name] = 'waits';
      promise.then(
        () => (seen[name] = 'written'),
        () => (seen[name] = 'given up'),
      );
    }
    return seen;
  };

  it('wait each for as long as its own caller can', async () => {
    const server = new Server();
    const to = writes(server);
    server.isAway = true;
    const seen = outcomes({
      first: to.write([change('first')], 15_000),
      short: to.write([change('short')], 2_000),
      long: to.write([change('long')], 15_000),
    });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(seen).toEqual({ first: 'waits', short: 'given up', long: 'waits' });
    server.isAway = false;
    await vi.advanceTimersByTimeAsync(1_000);
    for (let request = 0; request < 2; request += 1) await server.answer();
    expect(seen).toEqual({ first: 'written', short: 'given up', long: 'written' });
    // What was given up is not sent any more; what is older goes before what is newer.
    expect(server.requests.at(-1)).toEqual(['first', 'long']);
  });

  it('are given up in time behind one that a frozen server does not answer', async () => {
    const server = new Server();
    const to = writes(server);
    const seen = outcomes({ long: to.write([change('long')], 15_000), short: to.write([change('short')], 2_000) });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(seen).toEqual({ long: 'waits', short: 'given up' });
    await server.answer();
    expect(seen).toEqual({ long: 'written', short: 'given up' });
    expect(server.requests).toEqual([['long']]);
  });

  it('are given up together when one of them is, and those that can wait go again', async () => {
    const server = new Server();
    const attempts: { readonly names: readonly string[]; isOver: boolean }[] = [];
    const to = new AttributeWrites({
      send: (changes, bounded) =>
        bounded(() => server.send(changes)).finally(() => {
          for (const attempt of attempts) attempt.isOver = true;
        }),
      isConnected: () => true,
      patience: new Patience(),
      stop: new AbortController().signal,
    });
    const first = to.write([change('first')], 9_000);
    const outcomes: string[] = [];
    const note = (name: string, asked: Promise<void>): void => {
      void asked.then(
        () => outcomes.push(`${name} written`),
        () =>
          outcomes.push(
            `${name} failed, ${server.requests.at(-1)?.join() ?? ''} ${attempts.at(-1)?.isOver === true ? 'given up' : 'under way'}`,
          ),
      );
    };
    note('short', to.write([change('short')], 2_000));
    note('long', to.write([change('long')], 9_000));
    await server.answer();
    await first;
    attempts.push({ names: server.requests.at(-1) ?? [], isOver: false });
    await vi.advanceTimersByTimeAsync(2_100);
    expect(outcomes).toEqual(['short failed, short,long given up']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.requests).toEqual([['first'], ['short', 'long'], ['long']]);
    // Others that can't wait for long do not cut it short again.
    note('later', to.write([change('later')], 1_500));
    await server.answer();
    await server.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(outcomes).toContain('long written');
  });

  it('are not overtaken by later ones, which go with them', async () => {
    const server = new Server();
    const to = writes(server);
    server.isAway = true;
    const seen = outcomes({ old: to.write([change('old')], 15_000) });
    await vi.advanceTimersByTimeAsync(700);
    server.isAway = false;
    const later = outcomes({ new: to.write([change('new')], 15_000) });
    await vi.advanceTimersByTimeAsync(1_000);
    await server.answer();
    expect([seen, later]).toEqual([{ old: 'written' }, { new: 'written' }]);
    expect(server.requests.at(-1)).toEqual(['old', 'new']);
  });

  it('are asked for once only where they count up, or where the node is not joined', async () => {
    const server = new Server();
    server.isAway = true;
    const joined = writes(server);
    const apart = writes(server, () => false);
    const seen = outcomes({ adds: joined.write([change('adds', 1)], 15_000), apart: apart.write([change('apart')], 15_000) });
    await vi.advanceTimersByTimeAsync(10);
    expect(seen).toEqual({ adds: 'given up', apart: 'given up' });
    expect(server.requests).toEqual([['adds'], ['apart']]);
  });
});
