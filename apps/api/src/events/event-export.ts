import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DomainEvent, EventFilter, EventStore, RecordedEvent } from '@systole/event-store';
import type { Request, Response } from 'express';
import { cutOff } from '../http/cut-off.js';
import { HttpProblem } from '../http/problem.js';
import { writeInStep } from '../http/write-in-step.js';
import type { EVENT_TEXTS, EventTexts } from './event-texts.js';

/** Events that are in memory at a time. */
const PAGE = 500;

export interface StreamExport {
  readonly clusterId: string;
  readonly filter: EventFilter;
  readonly direction: 'forward' | 'backward';
  /** The newest event that is exported: what comes while it is read is not. */
  readonly head: number;
}

/** All events of a cluster that a filter lets through, a page at a time. */
export async function* pagesOf<E extends DomainEvent>(
  store: EventStore<E>,
  { clusterId, filter, direction, head }: StreamExport,
): AsyncGenerator<readonly RecordedEvent<E>[], void, void> {
  let afterVersion = direction === 'backward' ? head + 1 : 0;
  for (;;) {
    const page = await store.query({ streamId: clusterId, ...filter, direction, afterVersion, limit: PAGE });
    const events = page.filter(({ version }) => version <= head);
    if (events.length > 0) yield events;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE || events.length < page.length) return;
    afterVersion = last.version;
  }
}

/** Events one by one as pages. */
export async function* inPages<T>(events: AsyncIterable<T>): AsyncGenerator<readonly T[], void, void> {
  let page: T[] = [];
  for await (const event of events) {
    page.push(event);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/**
 * Writes events, as fast as the client reads.
 *
 * @param ends end it before it is complete: the connection is cut, so that nobody takes it for complete
 */
export async function writeEvents<E extends DomainEvent>(
  response: Response,
  pages: AsyncIterable<readonly RecordedEvent<E>[]>,
  texts: EventTexts<E>,
  ends: readonly AbortSignal[],
): Promise<void> {
  await writeTexts(response, textsOf(pages, texts), ends);
}

async function* textsOf<E extends DomainEvent>(
  pages: AsyncIterable<readonly RecordedEvent<E>[]>,
  { head, text }: EventTexts<E>,
): AsyncGenerator<string, void, void> {
  if (head !== '') yield head;
  for await (const page of pages) yield page.map(text).join('');
}

/** Writes pieces of text, as fast as the client reads. @param ends end it before it is complete: the connection is cut */
export async function writeTexts(response: Response, texts: AsyncIterable<string>, ends: readonly AbortSignal[]): Promise<void> {
  const ended = (): boolean => ends.some((signal) => signal.aborted) || response.destroyed;
  try {
    for await (const text of texts) {
      if (ended()) {
        cutOff(response);
        return;
      }
      await writeInStep(response, text);
      await nextTurn();
    }
    response.end();
  } catch (error) {
    // The answer has begun: that it is not complete can only be said by cutting it off.
    cutOff(response);
    throw error;
  }
}

/** Begins the answer that brings an export. @param name of the file */
export function exportHeaders(
  response: Response,
  name: string,
  { mediaType, extension }: Pick<EventTexts, 'mediaType' | 'extension'>,
): void {
  response.status(200).set({
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}.${extension}"`,
    'cache-control': 'no-store',
    vary: 'Accept',
  });
}

/** The format that a request accepts. @throws {HttpProblem} 406 */
export function acceptedFormat(request: Request): keyof typeof EVENT_TEXTS {
  switch (request.accepts(['application/x-ndjson', 'application/jsonl', 'application/json', 'text/csv'])) {
    case 'text/csv':
      return 'csv';
    case false:
      throw new HttpProblem(406, 'not-acceptable', 'events can be exported as application/x-ndjson or text/csv');
    default:
      return 'ndjson';
  }
}
