import type { DomainEvent, RecordedEvent } from '@systole/event-store';
import { eventDto } from './events.dto.js';

/** How events are written one after the other, for other programs. */
export interface EventTexts<E extends DomainEvent = DomainEvent> {
  readonly mediaType: string;
  readonly extension: string;
  /** What goes before the first; empty for none. */
  readonly head: string;
  readonly text: (event: RecordedEvent<E>) => string;
}

/** Of the CSV. */
export const EVENT_COLUMNS = [
  'version',
  'occurredAt',
  'type',
  'actor',
  'command',
  'correlationId',
  'causationId',
  'subjects',
  'reason',
  'data',
  'hash',
] as const;

/** Begins a formula in spreadsheets, also behind white space, and in some of them in full width (U+FF1D and others). */
const FORMULA = /^\s*[=+\-@\t\r|%＝＋－＠]/;

export const EVENT_TEXTS = {
  ndjson: {
    mediaType: 'application/x-ndjson',
    extension: 'ndjson',
    head: '',
    text: (event) => `${JSON.stringify(eventDto(event))}\n`,
  },
  csv: {
    mediaType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    head: `${EVENT_COLUMNS.join(',')}\r\n`,
    text: (event) => csvLine(event),
  },
} as const satisfies Record<string, EventTexts>;

/** An event as a line of {@link EVENT_COLUMNS}. @param before fields before those */
export function csvLine(event: RecordedEvent, before: readonly string[] = []): string {
  const { version, occurredAt, type, actor, command, correlationId, causationId = '', subjects, data, hash } = event;
  const reason = 'reason' in data && typeof data.reason === 'string' ? data.reason : '';
  const texts = [actor, command, correlationId, causationId, subjects.join(' '), reason, JSON.stringify(data)];
  return `${[...before.map(csvField), String(version), occurredAt, type, ...texts.map(csvField), hash].join(',')}\r\n`;
}

/** A field of RFC 4180. What spreadsheets would take for a formula gets an apostrophe before it, which they take for "this is text". */
export function csvField(value: string): string {
  const text = value.replaceAll('\0', '\uFFFD');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
