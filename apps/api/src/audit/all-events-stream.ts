import { Wakeable } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import { UnknownPosition, type EventTail, type PlaceInLog, type RecordedEvent } from '@systole/event-store';
import type { Response } from 'express';
import type { LoggedEvent } from './logged-event.js';
import { eventGone } from '../events/event-gone.js';
import { eventId } from '../events/event-id.js';
import { ServerSentEvents } from '../events/server-sent-events.js';

/** How often it is looked without any signal, ms. */
const LOOK_MS = 2_000;

export interface AllEventsStreamOptions {
  /** The event to go on after. */
  readonly after: PlaceInLog;
  /** What is sent of an event; undefined: it is passed over. */
  readonly shown: (event: RecordedEvent<LoggedEvent>) => Promise<object | undefined>;
  readonly heartbeatMs: number;
  /** End the stream. */
  readonly ends: readonly AbortSignal[];
}

/**
 * Writes the events of many clusters as server-sent events, in the global order, for as long as the client stays. All such streams read one tail. The id of each event is its global position and the
 * beginning of its hash. Ends with `gone` when the log no longer holds the event that was seen last.
 */
export async function writeAllEvents(
  response: Response,
  tail: EventTail<LoggedEvent>,
  { after, shown, heartbeatMs, ends }: AllEventsStreamOptions,
): Promise<void> {
  const wakeable = new Wakeable(SYSTEM_CLOCK);
  const forget = tail.follow(wakeable.wake);
  const ended = (): boolean => ends.some((signal) => signal.aborted) || response.destroyed;
  const sending = new ServerSentEvents(response, heartbeatMs);
  let seen = after;
  try {
    await sending.begin(idOf(seen));
    while (!ended()) {
      const { events, more } = await tail.after(seen);
      for (const event of events) {
        if (ended()) return;
        seen = { position: event.globalPosition, hash: event.hash };
        const data = await shown(event);
        if (data !== undefined) await sending.send(idOf(seen), event.type, data);
      }
      await sending.beat(idOf(seen));
      if (!more) await wakeable.wait(Math.min(LOOK_MS, heartbeatMs), ...ends);
    }
  } catch (error) {
    if (!(error instanceof UnknownPosition)) throw error;
    await sending.gone(await placeGone(tail, seen.position));
  } finally {
    forget();
    response.end();
  }
}

/** Who knows an event that is not here got it from a log that has since lost its end. */
export async function placeGone(tail: EventTail<LoggedEvent>, position: number): Promise<ReturnType<typeof eventGone>> {
  return eventGone(
    `the log, restored perhaps, no longer has the event at the global position ${String(position)}`,
    (await tail.end()).position,
  );
}

function idOf({ position, hash }: PlaceInLog): string {
  return eventId({ version: position, ...(hash === undefined ? {} : { hash }) });
}
