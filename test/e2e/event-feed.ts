import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoCluster, DemoEvent } from '@systole/examples';

/**
 * Tells every event of the cluster, once and in order, while servers come and go: a request that fails is made again.
 *
 * @returns how to end it
 */
export function eventFeed(cluster: DemoCluster, observe: (event: DemoEvent) => void): { stop(): Promise<void> } {
  const ended = new AbortController();
  const running = (async () => {
    let version = 0;
    while (!ended.signal.aborted) {
      for (const event of await cluster.eventsAfter(version).catch(() => [])) {
        version = event.version;
        observe(event);
      }
      await sleep(200, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      ended.abort();
      await running;
    },
  };
}
