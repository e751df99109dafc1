import { beforeEach, describe, expect, it } from 'vitest';
import type { DispatchSignal, NodeOfCluster } from '../ports/dispatches.js';
import { DispatchLooks } from './dispatch-looks.js';

describe('waiting for what is handed out', () => {
  let timers: (() => void)[];
  let looks: number;
  let undelivered: () => Promise<readonly NodeOfCluster[]>;
  let heard: string[];
  let signal: (signal: DispatchSignal) => void;
  let waiting: DispatchLooks;

  const pass = async (): Promise<void> => {
    for (const run of timers.splice(0)) run();
    await new Promise(setImmediate);
  };
  const listen = (clusterId: string, node: string): (() => void) =>
    waiting.listen(clusterId, node, (said) => heard.push(`${clusterId}/${node} ${said}`));

  beforeEach(() => {
    timers = [];
    looks = 0;
    heard = [];
    undelivered = () => Promise.resolve([]);
    const clock = { after: (_: number, run: () => void) => (timers.push(run), () => undefined) };
    const signals = {
      listen: (_: string, __: string, wake: (signal: DispatchSignal) => void) => ((signal = wake), () => undefined),
    };
    const dispatches = { undelivered: () => ((looks += 1), undelivered()) };
    waiting = new DispatchLooks(signals, dispatches, clock);
  });

  it('hears signals at once', () => {
    listen('c', 'n1');
    signal('handed-out');
    expect(heard).toEqual(['c/n1 handed-out']);
  });

  it('is looked after with one look for all that wait, and wakes whom it concerns', async () => {
    for (const cluster of ['a', 'b']) for (const node of ['n1', 'n2']) listen(cluster, node);
    undelivered = () =>
      Promise.resolve([
        { clusterId: 'b', node: 'n1' },
        { clusterId: 'z', node: 'n1' },
      ]);
    await pass();
    expect(heard).toEqual(['b/n1 handed-out']);
    expect(looks).toBe(1);
    await pass();
    expect(looks).toBe(2);
  });

  it('costs nothing when nobody waits', async () => {
    const forget = listen('a', 'n1');
    forget();
    await pass();
    expect({ looks, timers: timers.length }).toEqual({ looks: 0, timers: 0 });
    listen('a', 'n1');
    await pass();
    expect(looks).toBe(1);
  });

  it('has all look for themselves when the look fails, and goes on', async () => {
    listen('a', 'n1');
    listen('b', 'n1');
    undelivered = () => Promise.reject(new Error('away'));
    await pass();
    expect(heard).toEqual(['a/n1 missed', 'b/n1 missed']);
    undelivered = () => Promise.resolve([{ clusterId: 'a', node: 'n1' }]);
    await pass();
    expect(heard.slice(2)).toEqual(['a/n1 handed-out']);
  });
});
