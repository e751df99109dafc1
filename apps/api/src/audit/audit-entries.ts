import { AUDIT_STREAM } from '@systole/access';
import { initialState } from '@systole/cluster';
import type { AcrossQuery, EventStore, RecordedEvent } from '@systole/event-store';
import type { ClusterCatalog } from '@systole/read-models';
import { csvLine, EVENT_COLUMNS, EVENT_TEXTS, type EventTexts } from '../events/event-texts.js';
import { eventFilter } from '../events/event-filters.js';
import { eventDto, type EventDto } from '../events/events.dto.js';
import { EventCursors } from '../events/event-cursors.js';
import { DEFAULT_PAGE, pageOf, type Page } from '../http/page.js';
import type { AuditEntryDto, AuditFilterQuery, AuditQuery } from './audit.dto.js';
import type { LoggedEvent } from './logged-event.js';

/** The server's own entries, and beside them, for who asks for everything, the events of all clusters that there ever were. */
export class AuditEntries {
  constructor(
    private readonly store: EventStore<LoggedEvent>,
    private readonly catalog: Pick<ClusterCatalog, 'named'>,
  ) {}

  /**
   * A page of what a request asks for, in the order of their times.
   *
   * @param now epoch ms, from which ages count
   * @throws {HttpProblem} 400, 410
   */
  async page({ limit = DEFAULT_PAGE, cursor, ...query }: AuditQuery, now: number): Promise<Page<RecordedEvent<LoggedEvent>>> {
    const cursors = new EventCursors('audit', query);
    const after = cursor === undefined ? {} : { after: await cursors.find(this.store, cursor) };
    const read: RecordedEvent<LoggedEvent>[] = [];
    for await (const entry of await this.read(query, now, { expected: limit + 1, ...after })) if (read.push(entry) > limit) break;
    return pageOf(read, limit, (last) => cursors.after(last, last.streamId));
  }

  /**
   * The entries that a request asks for, in the order of their times.
   *
   * @param now epoch ms, from which ages count
   * @throws {HttpProblem} 400
   */
  async read(
    query: AuditFilterQuery,
    now: number,
    more: Pick<AcrossQuery, 'after' | 'expected'> = {},
  ): Promise<AsyncGenerator<RecordedEvent<LoggedEvent>, void, void>> {
    const { everything = false, cluster, order } = query;
    const filter = eventFilter(query, initialState(), now);
    const named = cluster === undefined ? undefined : await this.catalog.named(cluster);
    const ids = named?.map(({ id }) => id);
    const streams = !everything ? [AUDIT_STREAM] : ids === undefined ? undefined : [AUDIT_STREAM, ...ids];
    const names = cluster === undefined ? undefined : [...new Set([cluster, ...(named ?? []).flatMap(({ id, name }) => [id, name])])];
    return this.store.queryAcross({
      ...filter,
      ...more,
      direction: order === 'desc' ? 'backward' : 'forward',
      ...(streams === undefined ? {} : { streams }),
      ...(names === undefined ? {} : { subjectsOf: new Map([[AUDIT_STREAM, [{ anyOf: names }]]]) }),
    });
  }
}

/** An entry as the API shows it. @param names of clusters by id */
export function auditEntryDto(recorded: RecordedEvent<LoggedEvent>, names: ReadonlyMap<string, string>): AuditEntryDto {
  const clusterName = names.get(recorded.streamId);
  const shown: Pick<EventDto, keyof EventDto> = eventDto(recorded);
  return { ...shown, streamId: recorded.streamId, ...(clusterName === undefined ? {} : { clusterName }) };
}

/** How entries are exported. @param names of clusters by id */
export function auditTexts(format: keyof typeof EVENT_TEXTS, names: ReadonlyMap<string, string>): EventTexts<LoggedEvent> {
  const texts = EVENT_TEXTS[format];
  if (format === 'ndjson') return { ...texts, text: (event) => `${JSON.stringify(auditEntryDto(event, names))}\n` };
  return {
    ...texts,
    head: `streamId,clusterName,${EVENT_COLUMNS.join(',')}\r\n`,
    text: (event) => csvLine(event, [event.streamId, names.get(event.streamId) ?? '']),
  };
}
