import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AdvanceRequests } from './advance-requests.js';

/** Requests of a worker whose queue can be taken away, and whose moves last until let go. */
function bench(concurrency = 8) {
  const queued: string[] = [];
  const moved: string[] = [];
  const waiting: (() => void)[] = [];
  const queue = { isUp: true };
  const requests = new AdvanceRequests({
    enqueue: (clusterId) => {
      if (!queue.isUp) return Promise.reject(new Error('away'));
      queued.push(clusterId);
      return Promise.resolve();
    },
    move: async (clusterId, signal) => {
      moved.push(clusterId);
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        signal.addEventListener('abort', () => {
          resolve();
        });
      });
    },
    concurrency,
    report: { info: () => undefined, warn: () => undefined },
  });
  return { requests, queued, moved, waiting, queue };
}

describe('a request to move a cluster', () => {
  it('goes into the queue, and straight to the worker while that is away', async () => {
    const { requests, queued, moved, queue } = bench();
    await requests.request('c1');
    queue.isUp = false;
    await requests.request('c2');
    expect(requests.queueIsAway).toBe(true);
    queue.isUp = true;
    requests.queueIs('up');
    await requests.request('c3');
    expect({ queued, moved }).toEqual({ queued: ['c1', 'c3'], moved: ['c2'] });
    await requests.close();
  });

  it('is not lost while the cluster is being moved or too many are: one further run follows', async () => {
    const { requests, moved, waiting } = bench(1);
    requests.queueIs('down');
    await requests.request('c1');
    for (const again of ['c1', 'c1', 'c2']) await requests.request(again);
    expect(moved).toEqual(['c1']);
    waiting.shift()?.();
    await sleep(1);
    waiting.shift()?.();
    await sleep(1);
    expect(moved).toEqual(['c1', 'c1', 'c2']);
    await requests.close();
  });

  it('is dropped when the worker closes, which waits for what is being moved', async () => {
    const { requests, moved } = bench(1);
    requests.queueIs('down');
    await requests.request('c1');
    await requests.request('c2');
    await requests.close();
    await requests.request('c3');
    expect(moved).toEqual(['c1']);
  });
});
