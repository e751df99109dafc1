import type { ClientBase, Pool } from 'pg';
import { storeError } from '../errors.js';
import { findCursor } from './read-all.js';
import { EVENT_COLUMNS, type EventRow } from './recorded-row.js';

/** Which events; conditions that are left out don't restrict, all others must hold. */
export interface EventFilter {
  /** One of these types. */
  readonly types?: readonly string[];
  /** Concerns this resource, node or constraint. */
  readonly subject?: string;
  readonly actor?: string;
  readonly correlationId?: string;
  /** ISO 8601; occurred at or after. */
  readonly from?: string;
  /** ISO 8601; occurred before. */
  readonly to?: string;
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
  const statement = new Conditions();
  const backward = query.direction === 'backward';
  const beyond = backward ? '<' : '>';
  const order = backward ? 'DESC' : 'ASC';
  let orderBy: string;
  if (query.streamId !== undefined) {
    statement.add((parameter) => `stream_id = ${parameter}`, query.streamId);
    if (query.afterVersion !== undefined) statement.add((parameter) => `version ${beyond} ${parameter}`, query.afterVersion);
    narrowToTime(statement, query);
    orderBy = `version ${order}`;
  } else {
    statement.addConstant('transaction_id < event_horizon()');
    if (query.afterPosition !== undefined && query.afterPosition > 0) {
      const cursor = await findCursor(connection, query.afterPosition);
      statement.add(
        (id, position) => `(transaction_id, global_position) ${beyond} (${id}, ${position})`,
        cursor.transactionId,
        cursor.globalPosition,
      );
    }
    orderBy = `transaction_id ${order}, global_position ${order}`;
  }
  addFilter(statement, query);
  const text = `
SELECT ${EVENT_COLUMNS}
FROM events
WHERE ${statement.text}
ORDER BY ${orderBy}
LIMIT ${Math.max(0, Math.trunc(query.limit ?? DEFAULT_PAGE))}`;
  try {
    return (await connection.query<EventRow>(text, [...statement.values])).rows;
  } catch (error) {
    throw storeError(error, 'read');
  }
}

/** Turns times into versions, which the primary key finds; {@link addFilter} adds the exact conditions. */
function narrowToTime(statement: Conditions, query: StreamQuery): void {
  if (query.from !== undefined) {
    statement.add(
      (id, moment) => `version > event_version_at(${id}, ${moment}::timestamptz - interval '1 millisecond')`,
      query.streamId,
      query.from,
    );
  }
  if (query.to !== undefined) statement.add((id, moment) => `version <= event_version_at(${id}, ${moment})`, query.streamId, query.to);
}

function addFilter(statement: Conditions, filter: EventFilter): void {
  if (filter.types !== undefined) statement.add((parameter) => `type = ANY (${parameter})`, filter.types);
  if (filter.subject !== undefined) statement.add((parameter) => `subjects @> ${parameter}`, [filter.subject]);
  if (filter.actor !== undefined) statement.add((parameter) => `actor = ${parameter}`, filter.actor);
  if (filter.correlationId !== undefined) statement.add((parameter) => `correlation_id = ${parameter}`, filter.correlationId);
  if (filter.from !== undefined) statement.add((parameter) => `occurred_at >= ${parameter}`, filter.from);
  if (filter.to !== undefined) statement.add((parameter) => `occurred_at < ${parameter}`, filter.to);
}

/** A WHERE clause whose values travel as parameters. Only conditions that are asked for are written, so that each gets a plan of its own. */
class Conditions {
  readonly #conditions: string[] = [];
  readonly values: unknown[] = [];

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
