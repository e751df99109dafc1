import type { ClusterEvent } from '@systole/cluster';
import { Wakeable } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import type { EventStore, RecordedEvent } from '@systole/event-store';
import type { Response } from 'express';
import type { ClusterSignals } from '../lifecycle/cluster-signals.js';
import { writeInStep } from '../http/write-in-step.js';
import { eventGone } from './event-gone.js';
import { eventId, isSameEvent, type KnownEvent } from './event-id.js';
import { eventDto } from './events.dto.js';

const PAGE = 500;
/** How often it is looked without any signal, ms. */
const LOOK_MS = 2_000;

export interface EventStreamOptions {
  readonly clusterId: string;
  /** The event to go on after; version 0: from the first one on. */
  readonly after: KnownEvent;
  readonly heartbeatMs: number;
  /** End the stream. */
  readonly ends: readonly AbortSignal[];
}

/**
 * Writes a cluster's events as server-sent events, from after a version, for as long as the client stays. The id of each is its version and the beginning of
 * its hash, so that a client that comes back goes on where it was. Ends by itself after ClusterDeleted, and with `gone` when the log no longer holds the event that was sent last.
 */
export async function writeEventStream(
  response: Response,
  store: EventStore<ClusterEvent>,
  signals: ClusterSignals,
  { clusterId, after, heartbeatMs, ends }: EventStreamOptions,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const wakeable = new Wakeable(SYSTEM_CLOCK);
  const forget = signals.listen(clusterId, wakeable.wake);
  const ended = (): boolean => ends.some((signal) => signal.aborted) || response.destroyed;
  let sent: KnownEvent = after;
  let lastWrite = performance.now();
  try {
    // An id without data: a client that comes back before the first event goes on from here.
    await writeInStep(response, `retry: 1000\nid: ${eventId(after)}\n\n`);
    while (!ended()) {
      const page = await readAfter(store, clusterId, sent);
      if (page === undefined) {
        await writeInStep(response, await goneText(store, clusterId, sent, response.req.originalUrl));
        return;
      }
      sent = page.place;
      for (const event of page.events) {
        if (ended()) return;
        await writeInStep(response, eventText(event));
        sent = event;
        if (event.type === 'ClusterDeleted') return;
      }
      if (page.events.length > 0) lastWrite = performance.now();
      if (page.events.length === PAGE) continue;
      if (performance.now() - lastWrite >= heartbeatMs) {
        await writeInStep(response, ': heartbeat\n\n');
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
  return `id: ${eventId(event)}\nevent: ${event.type}\ndata: ${JSON.stringify(eventDto(event))}\n\n`;
}

/** What follows an event; undefined when the log holds it no longer, or another one in its place. */
async function readAfter(
  store: EventStore<ClusterEvent>,
  clusterId: string,
  place: KnownEvent,
): Promise<{ readonly place: KnownEvent; readonly events: readonly RecordedEvent<ClusterEvent>[] } | undefined> {
  const { version } = place;
  if (version === 0) return { place, events: await store.readStream(clusterId, { limit: PAGE }) };
  const { hash, events } = await store.readOn(clusterId, version);
  if (hash === undefined || !isSameEvent(place, hash)) return undefined;
  return { place: { version, hash }, events };
}

/** The id is empty: a browser that comes back has none then, and begins anew. */
async function goneText(store: EventStore<ClusterEvent>, clusterId: string, { version }: KnownEvent, instance: string): Promise<string> {
  const head = (await store.head(clusterId))?.version ?? 0;
  const problem = eventGone(`the cluster's log, restored perhaps, no longer has the event ${version} that was sent`, head);
  return `id:\nevent: gone\ndata: ${JSON.stringify(problem.document(instance))}\n\n`;
}
