import type { ClientBase, Pool } from 'pg';
import { storeError } from '../errors.js';
import { findCursor } from './read-all.js';
import { EVENT_COLUMNS, type EventRow } from './recorded-row.js';
import { correlationTerm, indexedVersion, subjectTerm } from './term-index.js';

/** Which events; conditions that are left out don't restrict, all others must hold. */
export interface EventFilter {
  /** One of these types. */
  readonly types?: readonly string[];
  /** Concerns this resource, node or constraint. */
  readonly subject?: string;
  /** Concerns what each of these says. */
  readonly subjects?: readonly SubjectFilter[];
  readonly actor?: string;
  readonly command?: string;
  readonly correlationId?: string;
  /** All of these words stand in `reason` of the event's data, whatever their case. */
  readonly words?: string;
  /** ISO 8601; occurred at or after. */
  readonly from?: string;
  /** ISO 8601; occurred before. */
  readonly to?: string;
}

/** Something that events may concern. */
export interface SubjectFilter {
  /** One of these subjects. */
  readonly anyOf: readonly string[];
  /** Only where one of these fields of the event's data holds one of them, or the event is of one of these types. */
  readonly named?: { readonly in: readonly string[]; readonly orTypes: readonly string[] };
}

interface Paging {
  /** At most so many events; 100 when left out. */
  readonly limit?: number;
  /** Newest first when `backward`; `forward` when left out. */
  readonly direction?: 'forward' | 'backward';
}

/** The events of one stream in the order of their versions, from after (backward: from before) a version. */
export interface StreamQuery extends EventFilter, Paging {
  readonly streamId: string;
  readonly afterVersion?: number;
}

/** The events of all streams in their global order, from after (backward: from before) an event's global position. */
export interface GlobalQuery extends EventFilter, Paging {
  readonly streamId?: never;
  readonly afterPosition?: number;
}

export type EventQuery = StreamQuery | GlobalQuery;

/** What `query` gives of one page when it isn't told: events. */
export const DEFAULT_PAGE = 100;

export async function queryRows(connection: Pool | ClientBase, query: EventQuery): Promise<readonly EventRow[]> {
  const limit = Math.max(0, Math.trunc(query.limit ?? DEFAULT_PAGE));
  try {
    return query.streamId === undefined ? await queryAll(connection, query, limit) : await queryStream(connection, query, limit);
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** In the global order. There is no index of what events concern across streams. */
async function queryAll(connection: Pool | ClientBase, query: GlobalQuery, limit: number): Promise<readonly EventRow[]> {
  const backward = query.direction === 'backward';
  const statement = new Conditions();
  statement.addConstant('transaction_id < event_horizon()');
  if (query.afterPosition !== undefined && query.afterPosition > 0) {
    const cursor = await findCursor(connection, query.afterPosition);
    statement.add(
      (id, position) => `(transaction_id, global_position) ${backward ? '<' : '>'} (${id}, ${position})`,
      cursor.transactionId,
      cursor.globalPosition,
    );
  }
  addFilter(statement, query);
  const order = backward ? 'DESC' : 'ASC';
  const text = `
SELECT ${EVENT_COLUMNS}
FROM events
WHERE ${statement.text}
ORDER BY transaction_id ${order}, global_position ${order}
LIMIT ${limit}`;
  return (await connection.query<EventRow>(text, [...statement.values])).rows;
}

/** A condition that an index answers by itself, in the order of versions: what fulfils it is the union of these. */
interface Indexed {
  readonly table: 'events' | 'event_terms';
  readonly column: 'actor' | 'term' | 'type';
  readonly values: readonly string[];
  /** The subjects of which an event may concern several. */
  readonly anyOf?: readonly string[];
}

/** Versions from after the first to the second. */
interface VersionRange {
  readonly above: number;
  readonly upTo: number;
}

/** So few events are found in milliseconds, and looked at whatever else is asked of them; how many more there are is not counted. */
const FEW = 10_000;

/**
 * A page is read from the condition that the fewest events fulfil, in the order of versions. What the index of terms does not have yet, the newest events, are looked
 * at one by one.
 */
async function queryStream(connection: Pool | ClientBase, query: StreamQuery, limit: number): Promise<readonly EventRow[]> {
  const range = await rangeOf(connection, query);
  const indexed = indexedIn(query);
  if (range.above >= range.upTo || indexed.some(({ values }) => values.length === 0)) return [];
  if (query.words !== undefined) return readByWords(connection, query, range, limit);
  if (indexed.length === 0) return readInOrder(connection, query, range, limit);
  const covered = indexed.some(({ table }) => table === 'event_terms') ? await indexedVersion(connection, query.streamId) : range.upTo;
  const inIndex = { above: range.above, upTo: Math.min(range.upTo, covered) };
  const behind = { above: Math.max(range.above, covered), upTo: range.upTo };
  const fromIndex = async (most: number): Promise<readonly EventRow[]> =>
    most === 0 || inIndex.above >= inIndex.upTo
      ? []
      : readBy(connection, query, await rarest(connection, query, indexed, inIndex), inIndex, most);
  const oneByOne = async (most: number): Promise<readonly EventRow[]> =>
    most === 0 || behind.above >= behind.upTo ? [] : readInOrder(connection, query, behind, most);
  const [first, second] = query.direction === 'backward' ? [oneByOne, fromIndex] : [fromIndex, oneByOne];
  const rows = await first(limit);
  return [...rows, ...(await second(limit - rows.length))];
}

/** Times become versions: `occurred_at` never decreases within a stream. */
async function rangeOf(connection: Pool | ClientBase, { streamId, afterVersion, direction, from, to }: StreamQuery): Promise<VersionRange> {
  const backward = direction === 'backward';
  let above = backward ? 0 : (afterVersion ?? 0);
  let upTo = backward && afterVersion !== undefined ? afterVersion - 1 : Number.MAX_SAFE_INTEGER;
  if (from === undefined && to === undefined) return { above, upTo };
  const { rows } = await connection.query<{ above: string | null; up_to: string | null }>({
    name: 'systole-versions-between',
    text: VERSIONS_BETWEEN,
    values: [streamId, from ?? null, to ?? null],
  });
  above = Math.max(above, Number(rows[0]?.above ?? 0));
  if (to !== undefined) upTo = Math.min(upTo, Number(rows[0]?.up_to ?? 0));
  return { above, upTo };
}

/** $1 stream id, $2 at or after, $3 before. Times are stored in milliseconds. */
const VERSIONS_BETWEEN = `
SELECT event_version_at($1, $2::timestamptz - interval '1 millisecond') AS above,
       event_version_at($1, $3::timestamptz - interval '1 microsecond') AS up_to`;

function indexedIn({ types, subject, subjects = [], actor, correlationId }: EventFilter): readonly Indexed[] {
  const term = (values: readonly string[], anyOf?: readonly string[]): Indexed => ({
    table: 'event_terms',
    column: 'term',
    values,
    ...(anyOf === undefined ? {} : { anyOf }),
  });
  return [
    ...(correlationId === undefined ? [] : [term([correlationTerm(correlationId)])]),
    ...(subject === undefined ? [] : [term([subjectTerm(subject)])]),
    ...subjects.map(({ anyOf }) => term(anyOf.map(subjectTerm), anyOf)),
    ...(actor === undefined ? [] : [{ table: 'events', column: 'actor', values: [actor] } as const]),
    ...(types === undefined ? [] : [{ table: 'events', column: 'type', values: types } as const]),
  ];
}

interface Chosen extends Indexed {
  /** Less than {@link FEW} events. */
  readonly few: boolean;
  /** What is to hold besides, and has an index. */
  readonly others: readonly Indexed[];
}

async function rarest(
  connection: Pool | ClientBase,
  { streamId }: StreamQuery,
  indexed: readonly Indexed[],
  range: VersionRange,
): Promise<Chosen> {
  let chosen: (Chosen & { readonly count: number }) | undefined;
  for (const condition of indexed) {
    const { table, column, values } = condition;
    // In order: only the index gives that at once, wherever in the stream they lie.
    const text = `
SELECT count(*)::integer AS count
FROM unnest($2::text[]) AS value CROSS JOIN LATERAL (
  SELECT FROM ${table} WHERE stream_id = $1 AND ${column} = value AND version > $3 AND version <= $4 ORDER BY version LIMIT ${FEW}
) AS counted`;
    const { rows } = await connection.query<{ count: number }>(text, [streamId, values, range.above, range.upTo]);
    const counted = rows[0]?.count ?? 0;
    // Of many it is not known how many: then the first condition does, which is the narrowest as a rule.
    const count = counted < FEW ? counted : FEW;
    if (chosen === undefined || count < chosen.count)
      chosen = { ...condition, count, few: count < FEW, others: indexed.filter((other) => other !== condition) };
    if (count === 0) break;
  }
  if (chosen === undefined) throw new Error('a page is read by an index, and there is none');
  return chosen;
}

async function readBy(
  connection: Pool | ClientBase,
  query: StreamQuery,
  { table, column, values, anyOf, few, others }: Chosen,
  { above, upTo }: VersionRange,
  limit: number,
): Promise<readonly EventRow[]> {
  const order = query.direction === 'backward' ? 'DESC' : 'ASC';
  const statement = new Conditions();
  const [id, low, high] = [statement.value(query.streamId), statement.value(above), statement.value(upTo)];
  const leg = (value: string, place: number): string =>
    `(SELECT version, ${place} AS leg FROM ${table} WHERE stream_id = ${id} AND ${column} = ${statement.value(value)} AND version > ${low} AND version <= ${high} ORDER BY version ${order})`;
  const legs = values.map(leg).join(' UNION ALL ');
  // One look at an index for each, before the event itself is looked at.
  const alsoIn = others.map(
    (other, place) => `
CROSS JOIN LATERAL (
  SELECT FROM ${other.table} WHERE stream_id = ${id} AND ${other.column} = ANY (${statement.value(other.values)}) AND version = found.version LIMIT 1
) AS also_${place}`,
  );
  statement.addConstant('true');
  // What concerns several of these is found once for each, and counts for the first.
  if (anyOf !== undefined && anyOf.length > 1) statement.add((names) => `NOT event.subjects && (${names}::text[])[1:found.leg]`, anyOf);
  addFilter(statement, query);
  const text = `
WITH found AS ${few ? 'MATERIALIZED' : 'NOT MATERIALIZED'} (SELECT version, leg FROM (${legs}) AS legs ORDER BY version ${order})
SELECT ${EVENT_COLUMNS.replace(' version,', ' event.version,')}
FROM found${alsoIn.join('')}
CROSS JOIN LATERAL (SELECT * FROM events WHERE stream_id = ${id} AND version = found.version OFFSET 0) AS event
WHERE ${statement.text}
ORDER BY found.version ${order}
LIMIT ${limit}`;
  return (await connection.query<EventRow>(text, [...statement.values])).rows;
}

/** By what people wrote, which is little beside everything else: all of it is found, and the page taken from that. */
async function readByWords(
  connection: Pool | ClientBase,
  query: StreamQuery,
  range: VersionRange,
  limit: number,
): Promise<readonly EventRow[]> {
  const { order, statement, filter } = filteredRange(query, range);
  const text = `
WITH found AS MATERIALIZED (SELECT stream_id, version FROM events WHERE ${statement.text} AND ${filter.text})
SELECT ${EVENT_COLUMNS}
FROM found JOIN events USING (stream_id, version)
ORDER BY version ${order}
LIMIT ${limit}`;
  return (await connection.query<EventRow>(text, [...statement.values])).rows;
}

/** What has no index of its own, or is not in it yet: event after event, until there are enough. */
async function readInOrder(
  connection: Pool | ClientBase,
  query: StreamQuery,
  range: VersionRange,
  limit: number,
): Promise<readonly EventRow[]> {
  const { order, statement, filter } = filteredRange(query, range);
  const text = `
SELECT ${EVENT_COLUMNS}
FROM (SELECT * FROM events WHERE ${statement.text} ORDER BY version ${order} OFFSET 0) AS event
WHERE ${filter.text === '' ? 'true' : filter.text}
ORDER BY version ${order}
LIMIT ${limit}`;
  return (await connection.query<EventRow>(text, [...statement.values])).rows;
}

/** Where the events of a range lie, and what they are filtered by, with numbers of parameters that go on. */
function filteredRange(
  query: StreamQuery,
  { above, upTo }: VersionRange,
): { readonly order: string; readonly statement: Conditions; readonly filter: Conditions } {
  const order = query.direction === 'backward' ? 'DESC' : 'ASC';
  const statement = new Conditions();
  statement.add((id, low, high) => `stream_id = ${id} AND version > ${low} AND version <= ${high}`, query.streamId, above, upTo);
  const filter = new Conditions(statement.values);
  addFilter(filter, query);
  return { order, statement, filter };
}

function addFilter(statement: Conditions, filter: EventFilter): void {
  if (filter.types !== undefined) statement.add((parameter) => `type = ANY (${parameter})`, filter.types);
  if (filter.subject !== undefined) statement.add((parameter) => `subjects @> ${parameter}`, [filter.subject]);
  for (const { anyOf, named } of filter.subjects ?? []) {
    statement.add((parameter) => `subjects && ${parameter}`, anyOf);
    if (named === undefined) continue;
    statement.add(
      (types, fields, names) =>
        `(type = ANY (${types}) OR EXISTS (SELECT FROM unnest(${fields}::text[]) AS field WHERE data->>field = ANY (${names}) OR split_part(data->>field, ':', 1) = ANY (${names})))`,
      named.orTypes,
      named.in,
      anyOf,
    );
  }
  if (filter.words !== undefined) statement.add(hasWords, filter.words);
  if (filter.command !== undefined) statement.add((parameter) => `command = ${parameter}`, filter.command);
  if (filter.actor !== undefined) statement.add((parameter) => `actor = ${parameter}`, filter.actor);
  if (filter.correlationId !== undefined) statement.add(follows, filter.correlationId);
  if (filter.from !== undefined) statement.add((parameter) => `occurred_at >= ${parameter}`, filter.from);
  if (filter.to !== undefined) statement.add((parameter) => `occurred_at < ${parameter}`, filter.to);
}

/** What answers several requests names the others in a list. @param id parameter */
function follows(id: string): string {
  return `(correlation_id = ${id} OR data->'alsoAnswers' ? ${id})`;
}

/** As the index of reasons has it. @param words parameter */
function hasWords(words: string): string {
  return `data ? 'reason' AND to_tsvector('simple', left(data->>'reason', 4000)) @@ plainto_tsquery('simple', ${words})`;
}

/** A WHERE clause whose values travel as parameters. Only conditions that are asked for are written, so that each gets a plan of its own. */
class Conditions {
  readonly #conditions: string[] = [];

  /** @param values those of other clauses of the statement, to which its own are added */
  constructor(readonly values: unknown[] = []) {}

  /** A value alone. @returns its parameter */
  value(value: unknown): string {
    this.values.push(value);
    return `$${String(this.values.length)}`;
  }

  add(condition: (...parameters: readonly string[]) => string, ...values: readonly unknown[]): void {
    const first = this.values.length + 1;
    this.values.push(...values);
    this.#conditions.push(condition(...values.map((_, index) => `$${first + index}`)));
  }

  addConstant(condition: string): void {
    this.#conditions.push(condition);
  }

  get text(): string {
    return this.#conditions.join(' AND ');
  }
}
