import type { RecordedEvent } from '../event.js';
import type { EventFilter, SubjectFilter } from './query-events.js';

/** What a condition looks at. */
type Event = Pick<RecordedEvent, 'type' | 'data' | 'subjects' | 'actor' | 'command' | 'correlationId' | 'occurredAt'>;

/**
 * Whether a filter lets an event through that is at hand: what a query asks the database, for whoever follows. Words are told apart as letters and digits, which the database's own
 * parser does a little differently in addresses and paths.
 */
export function matchesFilter(event: Event, filter: EventFilter): boolean {
  const { types, subject, subjects = [], actor, command, correlationId, words, from, to } = filter;
  return (
    (types === undefined || types.includes(event.type)) &&
    (subject === undefined || event.subjects.includes(subject)) &&
    (actor === undefined || event.actor === actor) &&
    (command === undefined || event.command === command) &&
    (correlationId === undefined || event.correlationId === correlationId || alsoAnswered(event.data).includes(correlationId)) &&
    (from === undefined || Date.parse(event.occurredAt) >= Date.parse(from)) &&
    (to === undefined || Date.parse(event.occurredAt) < Date.parse(to)) &&
    (words === undefined || hasWords(event.data, words)) &&
    subjects.every((one) => concerns(event, one))
  );
}

function concerns({ type, data, subjects }: Event, { anyOf, named }: SubjectFilter): boolean {
  if (!subjects.some((subject) => anyOf.includes(subject))) return false;
  if (named === undefined || named.orTypes.includes(type)) return true;
  return named.in.some((field) => {
    const value = textIn(data, field);
    // A device is named with its place in a level, an instance with its number, behind a colon.
    return value !== undefined && (anyOf.includes(value) || anyOf.includes(value.split(':')[0] ?? ''));
  });
}

/** Of the beginning of a reason, as the index has it. */
const MOST_OF_REASON = 4_000;

function hasWords(data: object, words: string): boolean {
  const reason = textIn(data, 'reason');
  if (reason === undefined) return false;
  const given = new Set(wordsOf(reason.slice(0, MOST_OF_REASON)));
  return wordsOf(words).every((word) => given.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function alsoAnswered(data: object): readonly unknown[] {
  const ids: unknown = 'alsoAnswers' in data ? data.alsoAnswers : [];
  return Array.isArray(ids) ? ids : [];
}

function textIn(data: object, field: string): string | undefined {
  const value: unknown = Object.hasOwn(data, field) ? (data as Readonly<Record<string, unknown>>)[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}
