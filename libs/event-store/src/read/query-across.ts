import type { ClientBase, Pool } from 'pg';
import { storeError } from '../errors.js';
import { isSnapshotRecords } from '../snapshots/snapshots.js';
import { queryRows, type EventFilter, type SubjectFilter } from './query-events.js';
import type { EventRow } from './recorded-row.js';
import { correlationTerm, subjectTerm } from './term-index.js';

/** An event's place among those of several streams: by its time, then its stream's id, then its version. */
export interface PlaceAcross {
  /** ISO 8601, milliseconds. */
  readonly occurredAt: string;
  readonly streamId: string;
  readonly version: number;
}

/** Which events of which streams. */
export interface AcrossQuery extends EventFilter {
  /** Of these streams; all but the records of snapshots when left out. */
  readonly streams?: readonly string[];
  /** By stream: what its events have to concern besides. */
  readonly subjectsOf?: ReadonlyMap<string, readonly SubjectFilter[]>;
  /** What is read begins after (backward: before) this place. */
  readonly after?: PlaceAcross;
  /** Newest first when `backward`; `forward` when left out. */
  readonly direction?: 'forward' | 'backward';
  /** Events that whoever reads will take, as far as is known: how many are read at a time. */
  readonly expected?: number;
}

/** Rows that are in memory at a time, of all streams together. */
const IN_MEMORY = 4_000;
const [LEAST_READ, MOST_READ] = [20, 500];

/**
 * $1 streams (null: all), $2 actor, $3 types, $4 terms of all of which one has to be there, $5 newest event at or after, $6 oldest event before (null each: whatever).
 * What the index of terms does not have yet may be anything.
 */
const STREAMS_THAT_MAY = `
WITH RECURSIVE streams AS (
  (SELECT stream_id FROM events WHERE $1::text[] IS NULL ORDER BY stream_id LIMIT 1)
  UNION ALL
  SELECT (SELECT e.stream_id FROM events e WHERE e.stream_id > streams.stream_id ORDER BY e.stream_id LIMIT 1)
  FROM streams WHERE streams.stream_id IS NOT NULL
), asked AS (
  SELECT stream_id FROM streams WHERE stream_id IS NOT NULL
  UNION SELECT unnest($1::text[])
)
SELECT stream_id AS id FROM asked
CROSS JOIN LATERAL (SELECT version, occurred_at FROM events e WHERE e.stream_id = asked.stream_id ORDER BY version DESC LIMIT 1) AS newest
CROSS JOIN LATERAL (SELECT occurred_at FROM events e WHERE e.stream_id = asked.stream_id ORDER BY version LIMIT 1) AS oldest
WHERE ($2::text IS NULL OR EXISTS (SELECT FROM events e WHERE e.stream_id = asked.stream_id AND e.actor = $2))
  AND ($3::text[] IS NULL OR EXISTS (SELECT FROM events e WHERE e.stream_id = asked.stream_id AND e.type = ANY ($3)))
  AND ($4::text[] IS NULL
    OR newest.version > coalesce((SELECT version FROM event_term_heads h WHERE h.stream_id = asked.stream_id), 0)
    OR EXISTS (SELECT FROM event_terms t WHERE t.stream_id = asked.stream_id AND t.term = ANY ($4)))
  AND ($5::timestamptz IS NULL OR newest.occurred_at >= $5)
  AND ($6::timestamptz IS NULL OR oldest.occurred_at < $6)`;

/**
 * The events of several streams that a filter lets through, in the order of their times: each stream is read by its own indexes, a few events at a time, and they are
 * merged. Streams in which nothing can fulfil it are left alone. In memory is what is ahead in each stream, however many there are in all.
 *
 * An event that is committed late may have a time before one that was read: what is to be complete asks for times that are over.
 */
export async function* rowsAcross(connection: Pool, query: AcrossQuery): AsyncGenerator<EventRow, void, void> {
  const streams = await streamsThatMay(connection, query);
  const size = readAtATime(streams.length, query.expected);
  const sign = query.direction === 'backward' ? -1 : 1;
  const ahead: Ahead[] = [];
  for (const streamId of streams) {
    const rows = rowsOf(connection, query, streamId, size);
    const first = await rows.next();
    if (first.done !== true) ahead.push({ rows, next: first.value });
  }
  const heap = new Heap(ahead, (one, other) => sign * comparePlaces(one.next, other.next));
  for (let top = heap.top; top !== undefined; top = heap.top) {
    yield top.next;
    const following = await top.rows.next();
    if (following.done === true) heap.removeTop();
    else {
      top.next = following.value;
      heap.topChanged();
    }
  }
}

interface Ahead {
  readonly rows: AsyncGenerator<EventRow, void, void>;
  next: EventRow;
}

function readAtATime(streams: number, expected = MOST_READ): number {
  const share = Math.ceil(IN_MEMORY / Math.max(1, streams));
  return Math.max(1, Math.min(expected, MOST_READ, Math.max(LEAST_READ, share)));
}

async function streamsThatMay(connection: Pool | ClientBase, query: AcrossQuery): Promise<readonly string[]> {
  const { actor, types, from, to, correlationId, subject, subjects = [] } = query;
  // One condition of those by terms rules out enough; the events themselves are asked for all.
  const terms = [
    ...(correlationId === undefined ? [] : [[correlationTerm(correlationId)]]),
    ...(subject === undefined ? [] : [[subjectTerm(subject)]]),
    ...subjects.map(({ anyOf }) => anyOf.map(subjectTerm)),
  ];
  const values = [query.streams ?? null, actor ?? null, types ?? null, terms[0] ?? null, from ?? null, to ?? null];
  try {
    const { rows } = await connection.query<{ id: string }>({ name: 'systole-streams-that-may', text: STREAMS_THAT_MAY, values });
    return rows.map(({ id }) => id).filter((id) => !isSnapshotRecords(id));
  } catch (error) {
    throw storeError(error, 'read');
  }
}

async function* rowsOf(connection: Pool, query: AcrossQuery, streamId: string, size: number): AsyncGenerator<EventRow, void, void> {
  const { after, subjectsOf, subjects = [], direction = 'forward' } = query;
  const filter: EventFilter & Pick<AcrossQuery, 'direction'> = {
    ...query,
    direction,
    subjects: [...subjects, ...(subjectsOf?.get(streamId) ?? [])],
  };
  let place = after === undefined ? {} : beyond(after, streamId, query);
  for (;;) {
    const rows = await queryRows(connection, { ...filter, ...place, streamId, limit: size });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    place = { ...place, afterVersion: Number(last.version) };
  }
}

/** What is to be read of a stream beyond a place that may be another stream's. */
function beyond(
  { occurredAt, streamId: at, version }: PlaceAcross,
  streamId: string,
  { direction, from, to }: AcrossQuery,
): Pick<AcrossQuery, 'from' | 'to'> & { readonly afterVersion?: number } {
  if (streamId === at) return { afterVersion: version };
  const forward = direction !== 'backward';
  // Of streams on the far side of the place's own those of the same millisecond are still to come.
  const comes = Buffer.compare(Buffer.from(streamId), Buffer.from(at)) > 0 === forward;
  const next = new Date(Date.parse(occurredAt) + 1).toISOString();
  if (forward) return { from: latest(from, comes ? occurredAt : next) };
  return { to: earliest(to, comes ? next : occurredAt) };
}

function latest(one: string | undefined, other: string): string {
  return one !== undefined && Date.parse(one) > Date.parse(other) ? one : other;
}

function earliest(one: string | undefined, other: string): string {
  return one !== undefined && Date.parse(one) < Date.parse(other) ? one : other;
}

function comparePlaces(one: EventRow, other: EventRow): number {
  return (
    one.occurred_at.getTime() - other.occurred_at.getTime() ||
    Buffer.compare(Buffer.from(one.stream_id), Buffer.from(other.stream_id)) ||
    Number(one.version) - Number(other.version)
  );
}

/** A binary heap: the first by an order is always at hand, and the next one found in a few steps. */
class Heap<T> {
  readonly #items: T[];

  constructor(
    items: readonly T[],
    private readonly compare: (one: T, other: T) => number,
  ) {
    this.#items = [...items].sort(compare);
  }

  get top(): T | undefined {
    return this.#items[0];
  }

  removeTop(): void {
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return;
    this.#items[0] = last;
    this.topChanged();
  }

  /** Puts the top where it belongs now. */
  topChanged(): void {
    const [moving] = this.#items;
    if (moving === undefined) return;
    let place = 0;
    for (;;) {
      const least = this.#lesserChild(place);
      if (least === undefined || this.compare(least.item, moving) >= 0) break;
      this.#items[place] = least.item;
      place = least.place;
    }
    this.#items[place] = moving;
  }

  #lesserChild(parent: number): { readonly place: number; readonly item: T } | undefined {
    const [left, right] = [2 * parent + 1, 2 * parent + 2];
    const first = this.#items[left];
    if (first === undefined) return undefined;
    const second = this.#items[right];
    return second !== undefined && this.compare(second, first) < 0 ? { place: right, item: second } : { place: left, item: first };
  }
}
