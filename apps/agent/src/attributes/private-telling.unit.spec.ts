import type { PrivateAttributesRequest } from '@systole/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerUnavailable } from '../server/server-connection.js';
import { PrivateTelling } from './private-telling.js';

const URL = 'https://server';
let values: Map<string, string>;
let told: PrivateAttributesRequest[];
let session: { url: string; incarnation: number } | undefined;
let send: (request: PrivateAttributesRequest) => Promise<void>;
let logged: number;
let stop: AbortController;
let telling: PrivateTelling;
let isFull: boolean;
let written: Promise<void>;

beforeEach(() => {
  vi.useFakeTimers();
  values = new Map();
  told = [];
  session = { url: URL, incarnation: 1 };
  logged = 0;
  isFull = false;
  written = Promise.resolve();
  send = (request) => {
    told.push(request);
    return Promise.resolve();
  };
  stop = new AbortController();
  telling = new PrivateTelling({
    own: {
      get: (name) => values.get(name),
      get names() {
        return [...values.keys()];
      },
      // As PrivateAttributes does it: known at once, and a failed writing stays failed until the next one.
      set: (name, value) => {
        if (values.get(name) === value) return written;
        if (value === undefined) values.delete(name);
        else values.set(name, value);
        written = isFull ? Promise.reject(new Error('ENOSPC')) : Promise.resolve();
        return written;
      },
    },
    server: { privateAttributes: (_url, request) => send(request) },
    session: () => session,
    logger: {
      info: () => {
        logged += 1;
      },
    },
  });
});
afterEach(() => {
  stop.abort();
  vi.useRealTimers();
});

const last = (): PrivateAttributesRequest | undefined => told.at(-1);

describe('what is private on a node', () => {
  it('is told when it is set, changed and removed, and whoever sets it waits for that', async () => {
    void telling.run(stop.signal);
    await telling.set('a', '1');
    expect(last()).toEqual({ incarnation: 1, revision: 1, attributes: [{ name: 'a', value: '1' }] });
    await telling.set('a', '1');
    expect(told).toHaveLength(1);
    await telling.set('a', undefined);
    expect(last()).toEqual({ incarnation: 1, revision: 2, attributes: [] });
  });

  it('is told to be gone also where nobody has answered that it was there: a server may store that late', async () => {
    send = (request) => {
      told.push(request);
      return told.length === 1 ? Promise.reject(new ServerUnavailable('no answer')) : Promise.resolve();
    };
    const set = telling.set('a', '1');
    void telling.run(stop.signal);
    await vi.advanceTimersByTimeAsync(0);
    const removed = telling.set('a', undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    await Promise.all([set, removed].map((one) => one.catch(() => undefined)));
    expect(last()).toEqual({ incarnation: 1, revision: 2, attributes: [] });
  });

  it('is told with a number that goes up with each change, by which a server knows what comes late', async () => {
    send = (request) => {
      told.push(request);
      return told.length === 1 ? Promise.reject(new ServerUnavailable('no answer')) : Promise.resolve();
    };
    void telling.run(stop.signal);
    void telling.set('a', '1');
    await vi.advanceTimersByTimeAsync(0);
    await telling.set('a', '2');
    expect(told.map(({ revision, attributes }) => [revision, attributes[0]?.value])).toEqual([
      [1, '1'],
      [2, '2'],
    ]);
  });

  it('is told again in each life of the node, and not where there is nothing', async () => {
    values.set('a', '1');
    void telling.run(stop.signal);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(told).toHaveLength(1);
    session = { url: URL, incarnation: 2 };
    await vi.advanceTimersByTimeAsync(2_000);
    expect(told.map(({ incarnation }) => incarnation)).toEqual([1, 2]);
    await telling.set('a', undefined);
    session = { url: URL, incarnation: 3 };
    await vi.advanceTimersByTimeAsync(2_000);
    expect(told.map(({ incarnation }) => incarnation)).toEqual([1, 2, 2]);
  });

  it('is told once for all that was set while it was being told', async () => {
    let answer = (): void => undefined;
    send = (request) => {
      told.push(request);
      return new Promise((resolve) => (answer = resolve));
    };
    void telling.run(stop.signal);
    const first = telling.set('a', '1');
    await vi.advanceTimersByTimeAsync(0);
    const others = ['b', 'c', 'd'].map((name) => telling.set(name, '1'));
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toHaveLength(1);
    answer();
    await first;
    await vi.advanceTimersByTimeAsync(0);
    answer();
    await Promise.all(others);
    expect(told.map(({ attributes }) => attributes.length)).toEqual([1, 4]);
  });

  it('counts on the node at once while no server answers, keeps nobody for long, and is told as soon as one does', async () => {
    send = () => Promise.reject(new ServerUnavailable('gone'));
    void telling.run(stop.signal);
    let isSet = false;
    void telling.set('a', '1').then(() => (isSet = true));
    await vi.advanceTimersByTimeAsync(500);
    expect([values.get('a'), isSet]).toEqual(['1', false]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([isSet, logged]).toEqual([true, 1]);
    send = (request) => {
      told.push(request);
      return Promise.resolve();
    };
    await vi.advanceTimersByTimeAsync(1_000);
    expect(last()?.attributes).toEqual([{ name: 'a', value: '1' }]);
  });

  it('is told although the file can not be written, and stays a failure when it is set again', async () => {
    void telling.run(stop.signal);
    isFull = true;
    await expect(telling.set('a', '1')).rejects.toThrow('ENOSPC');
    await expect(telling.set('a', '1')).rejects.toThrow('ENOSPC');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(last()?.attributes).toEqual([{ name: 'a', value: '1' }]);
  });

  it('keeps nobody while the node is not joined, and is told with the join', async () => {
    session = undefined;
    void telling.run(stop.signal);
    await telling.set('a', '1');
    session = { url: URL, incarnation: 7 };
    await vi.advanceTimersByTimeAsync(1_000);
    expect(last()).toEqual({ incarnation: 7, revision: 1, attributes: [{ name: 'a', value: '1' }] });
  });
});
