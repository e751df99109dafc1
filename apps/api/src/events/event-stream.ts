import { once } from 'node:events';
import type { ClusterEvent } from '@systole/cluster';
import type { EventStore, RecordedEvent } from '@systole/event-store';
import type { Response } from 'express';
import type { ClusterSignals } from '../lifecycle/cluster-signals.js';
import { Wakeable } from '../lifecycle/wakeable.js';
import { eventDto } from './events.dto.js';

const PAGE = 500;
/** How often it is looked without any signal, ms. */
const LOOK_MS = 2_000;

export interface EventStreamOptions {
  readonly clusterId: string;
  /** Version to go on after. */
  readonly after: number;
  readonly heartbeatMs: number;
  /** Asked as often as the stream shows that it lives; the stream ends when it says no. */
  readonly mayGoOn: () => Promise<boolean>;
  /** End the stream. */
  readonly ends: readonly AbortSignal[];
}

/**
 * Writes a cluster's events as server-sent events, from after a version, for as long as the client stays. The id of each is its version, so that a client
 * that comes back goes on where it was. Ends by itself after ClusterDeleted.
 */
export async function writeEventStream(
  response: Response,
  store: EventStore<ClusterEvent>,
  signals: ClusterSignals,
  { clusterId, after, heartbeatMs, mayGoOn, ends }: EventStreamOptions,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const wakeable = new Wakeable();
  const forget = signals.listen(clusterId, wakeable.wake);
  const ended = (): boolean => ends.some((signal) => signal.aborted) || response.destroyed;
  let version = after;
  let lastWrite = performance.now();
  let lastCheck = lastWrite;
  try {
    // An id without data: a client that comes back before the first event goes on from here.
    await write(response, `retry: 1000\nid: ${after}\n\n`);
    while (!ended()) {
      const page = await store.readStream(clusterId, { fromVersion: version + 1, limit: PAGE });
      for (const event of page) {
        if (ended()) return;
        await write(response, eventText(event));
        version = event.version;
        if (event.type === 'ClusterDeleted') return;
      }
      if (page.length > 0) lastWrite = performance.now();
      if (performance.now() - lastCheck >= heartbeatMs) {
        if (!(await mayGoOn())) return;
        lastCheck = performance.now();
      }
      if (page.length === PAGE) continue;
      if (performance.now() - lastWrite >= heartbeatMs) {
        await write(response, ': heartbeat\n\n');
        lastWrite = performance.now();
      }
      await wakeable.wait(Math.min(LOOK_MS, heartbeatMs), ...ends);
    }
  } finally {
    forget();
    response.end();
  }
}

function eventText(event: RecordedEvent<ClusterEvent>): string {
  return `id: ${event.version}\nevent: ${event.type}\ndata: ${JSON.stringify(eventDto(event))}\n\n`;
}

/** Waits while the client does not read. */
async function write(response: Response, text: string): Promise<void> {
  if (response.write(text) || response.destroyed) return;
  await Promise.race([once(response, 'drain'), once(response, 'close')]);
}
