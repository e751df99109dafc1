import { createHash } from 'node:crypto';
import { canonicalJson, type DomainEvent, type EventStore, type RecordedEvent } from '@systole/event-store';
import { HttpProblem } from '../http/problem.js';
import { listGone } from './event-gone.js';
import { HASH_CHARS, isSameEvent } from './event-id.js';

const MARK_CHARS = 8;
const CURSOR = new RegExp(`^(\\d{1,15})\\.([0-9a-f]{${String(HASH_CHARS)}})\\.([0-9a-f]{${String(MARK_CHARS)}})(?:\\.(.{1,255}))?$`, 's');

/**
 * The cursors of one list of events: of what, in which order, by which conditions. A cursor names an event by version and hash, as ids of streams do, and the list that it is of: with that of another list, or in a log that was
 * restored and has grown again, a page would leave out events without a word.
 */
export class EventCursors {
  readonly #mark: string;

  /**
   * @param of what is listed, e.g. the events of a cluster
   * @param query with the conditions and the order; the page that is asked for makes no difference
   * @param order where the query says none
   */
  constructor(of: string, query: object, order: 'asc' | 'desc' = 'asc') {
    const asked: readonly (readonly [string, unknown])[] = Object.entries(query);
    const conditions = asked.filter(([name, value]) => name !== 'limit' && name !== 'cursor' && value !== undefined);
    const list = canonicalJson([of, { order, ...Object.fromEntries(conditions) }]);
    this.#mark = createHash('sha256').update(list, 'utf8').digest('hex').slice(0, MARK_CHARS);
  }

  /** Of the page that begins after an event. @param streamId where events of several streams are listed */
  after({ version, hash }: Pick<RecordedEvent, 'version' | 'hash'>, streamId?: string): string {
    return [String(version), hash.slice(0, HASH_CHARS), this.#mark, ...(streamId === undefined ? [] : [streamId])].join('.');
  }

  /**
   * Of the page that begins after what an event of that version says.
   *
   * @throws {HttpProblem} 410 when the log has lost it since it was read
   */
  async afterVersion(store: Pick<EventStore, 'hashAt' | 'head'>, streamId: string, version: number): Promise<string> {
    const hash = await store.hashAt(streamId, version);
    if (hash !== undefined) return this.after({ version, hash });
    throw listGone(
      `the log, restored perhaps, no longer has the event ${version} of ${streamId}`,
      (await store.head(streamId))?.version ?? 0,
    );
  }

  /** Says that a cursor is of another list. */
  foreign(): HttpProblem {
    return refused(
      'is of another list, or of other conditions, or of another order: take `next` of the previous page, and change nothing but `limit`',
    );
  }

  /**
   * The event after which a page begins.
   *
   * @param streamId where it is; undefined: the cursor says it
   * @throws {HttpProblem} 400 for a cursor of another list, 410 when the log has its event no longer
   */
  async find<E extends DomainEvent>(store: EventStore<E>, cursor: string, streamId?: string): Promise<RecordedEvent<E>> {
    const [, number, hash, mark, named] = CURSOR.exec(cursor) ?? [];
    const at = streamId ?? named;
    if (
      number === undefined ||
      hash === undefined ||
      at === undefined ||
      (streamId !== undefined && named !== undefined) ||
      /\p{Cc}/u.test(at)
    ) {
      throw refused(
        'is no cursor of this list (those from before an update of the server are not taken any more): begin with the first page, and take `next` of each',
      );
    }
    if (mark !== this.#mark) {
      throw this.foreign();
    }
    const version = Number(number);
    const [event] = await store.readStream(at, { fromVersion: version, toVersion: version });
    if (event !== undefined && isSameEvent({ version, hash }, event.hash)) return event;
    throw listGone(
      `the log, restored perhaps, no longer has the event ${number} of ${at} with which the previous page ended`,
      (await store.head(at))?.version ?? 0,
    );
  }
}

function refused(detail: string): HttpProblem {
  return new HttpProblem(400, 'invalid-parameter', `cursor ${detail}`, { errors: [{ parameter: 'cursor', detail }] });
}
