import type { ClusterEvent } from '@systole/cluster';
import type { RecordedEvent } from '@systole/event-store';
import { eventDto } from './events.dto.js';

/** How events are written one after the other, for other programs. */
export interface EventTexts {
  readonly mediaType: string;
  readonly extension: string;
  /** What goes before the first; empty for none. */
  readonly head: string;
  readonly text: (event: RecordedEvent<ClusterEvent>) => string;
}

const COLUMNS = [
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

/** Begins a formula in spreadsheets, also behind white space. */
const FORMULA = /^\s*[=+\-@\t\r|%]/;

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
    head: `${COLUMNS.join(',')}\r\n`,
    text: (event) => {
      const { version, occurredAt, type, actor, command, correlationId, causationId = '', subjects, data, hash } = event;
      const reason = 'reason' in data && typeof data.reason === 'string' ? data.reason : '';
      const texts = [actor, command, correlationId, causationId, subjects.join(' '), reason, JSON.stringify(data)];
      return `${[String(version), occurredAt, type, ...texts.map(csvField), hash].join(',')}\r\n`;
    },
  },
} as const satisfies Record<string, EventTexts>;

/** A field of RFC 4180. What spreadsheets would take for a formula gets an apostrophe before it, which they take for "this is text". */
export function csvField(value: string): string {
  const text = value.replaceAll('\0', '\uFFFD');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
