import type { ClusterEvent } from '@systole/cluster';
import { Wakeable } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import { matchesFilter, type EventFilter, type EventStore, type RecordedEvent } from '@systole/event-store';
import type { Response } from 'express';
import type { ClusterSignals } from '../lifecycle/cluster-signals.js';
import { eventGone } from './event-gone.js';
import { eventId, isSameEvent, type KnownEvent } from './event-id.js';
import { eventDto } from './events.dto.js';
import { ServerSentEvents } from './server-sent-events.js';

const PAGE = 500;
/** How often it is looked without any signal, ms. */
const LOOK_MS = 2_000;

export interface EventStreamOptions {
  readonly clusterId: string;
  /** The event to go on after; version 0: from the first one on. */
  readonly after: KnownEvent;
  /** Which events are sent; the others only move the place on. */
  readonly filter: EventFilter;
  readonly heartbeatMs: number;
  /** End the stream. */
  readonly ends: readonly AbortSignal[];
}

/**
 * Writes a cluster's events as server-sent events, from after a version, for as long as the client stays. The id of each is its version and the beginning of
 * its hash, so that a client that comes back goes on where it was. Ends by itself after ClusterDeleted, and with `gone` when the log no longer holds the event that was seen last.
 */
export async function writeEventStream(
  response: Response,
  store: EventStore<ClusterEvent>,
  signals: ClusterSignals,
  { clusterId, after, filter, heartbeatMs, ends }: EventStreamOptions,
): Promise<void> {
  const wakeable = new Wakeable(SYSTEM_CLOCK);
  const forget = signals.listen(clusterId, wakeable.wake);
  const ended = (): boolean => ends.some((signal) => signal.aborted) || response.destroyed;
  const sending = new ServerSentEvents(response, heartbeatMs);
  let seen: KnownEvent = after;
  try {
    await sending.begin(eventId(after));
    while (!ended()) {
      const page = await readAfter(store, clusterId, seen);
      if (page === undefined) {
        const head = (await store.head(clusterId))?.version ?? 0;
        await sending.gone(
          eventGone(`the cluster's log, restored perhaps, no longer has the event ${seen.version} that was seen last`, head),
        );
        return;
      }
      seen = page.place;
      for (const event of page.events) {
        if (ended()) return;
        if (matchesFilter(event, filter)) await sending.send(eventId(event), event.type, eventDto(event));
        seen = event;
        if (event.type === 'ClusterDeleted') return;
      }
      await sending.beat(eventId(seen));
      if (page.events.length < PAGE) await wakeable.wait(Math.min(LOOK_MS, heartbeatMs), ...ends);
    }
  } finally {
    forget();
    response.end();
  }
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
