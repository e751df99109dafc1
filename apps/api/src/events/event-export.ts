import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClusterEvent } from '@systole/cluster';
import type { EventFilter, EventStore, RecordedEvent } from '@systole/event-store';
import type { Response } from 'express';
import { writeInStep } from '../http/write-in-step.js';
import type { EventTexts } from './event-texts.js';

/** Events that are in memory at a time. */
const PAGE = 500;

export interface EventExport {
  readonly clusterId: string;
  readonly filter: EventFilter;
  readonly direction: 'forward' | 'backward';
  /** The newest event that is exported: what comes while it is read is not. */
  readonly head: number;
  readonly texts: EventTexts;
  /** End it before it is complete: the connection is cut, so that nobody takes it for complete. */
  readonly ends: readonly AbortSignal[];
}

/** Writes all events that a filter lets through, a page at a time and as fast as the client reads. */
export async function writeEvents(response: Response, store: EventStore<ClusterEvent>, asked: EventExport): Promise<void> {
  const { clusterId, filter, direction, head, texts, ends } = asked;
  const ended = (): boolean => ends.some((signal) => signal.aborted) || response.destroyed;
  try {
    if (texts.head !== '') await writeInStep(response, texts.head);
    let afterVersion = direction === 'backward' ? head + 1 : 0;
    for (;;) {
      const page: readonly RecordedEvent<ClusterEvent>[] = await store.query({
        streamId: clusterId,
        ...filter,
        direction,
        afterVersion,
        limit: PAGE,
      });
      const events = page.filter(({ version }) => version <= head);
      if (ended()) break;
      if (events.length > 0) await writeInStep(response, events.map(texts.text).join(''));
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE || events.length < page.length) {
        response.end();
        return;
      }
      afterVersion = last.version;
      await nextTurn();
    }
    response.destroy();
  } catch (error) {
    // The answer has begun: that it is not complete can only be said by cutting it off.
    response.destroy();
    throw error;
  }
}
