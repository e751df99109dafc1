import { canonicalJson } from '../canonical-json.js';
import { InvalidEvent } from '../errors.js';
import type { AppendMeta } from '../event.js';

/** What the hash of an event covers: all of its row but the global position, which says nothing about what happened. Each member as its canonical JSON. */
export interface MemberTexts {
  readonly actor: string;
  /** `null` where it has none. */
  readonly causationId: string;
  readonly command: string;
  readonly correlationId: string;
  readonly data: string;
  /** ISO 8601, UTC, milliseconds; in quotation marks as each text. */
  readonly occurredAt: string;
  readonly schemaVersion: string;
  readonly streamId: string;
  readonly subjects: string;
  readonly type: string;
  readonly version: string;
}

/** The RFC 8785 JSON of an event: `hash` = sha256(previous event's hash || UTF-8 of this). Its members stand in the order of their names. */
export function canonicalEvent(member: MemberTexts): string {
  return `{"actor":${member.actor},"causationId":${member.causationId},"command":${member.command},"correlationId":${member.correlationId},"data":${member.data},"occurredAt":${member.occurredAt},"schemaVersion":${member.schemaVersion},"streamId":${member.streamId},"subjects":${member.subjects},"type":${member.type},"version":${member.version}}`;
}

/**
 * RS: separates texts in one parameter or payload. JSON text never holds it, because control characters are escaped in strings; stream ids
 * may hold none.
 */
export const SEPARATOR = '\x1e';

/**
 * The canonical JSON of an event before its time and its version are known, as the SQL function `append_events` takes it: the text up to the
 * value of `occurredAt`, RS, and the text from there up to the value of `version`, which sorts last.
 */
export function canonicalDraft(streamId: string, event: DraftEvent, meta: AppendMeta): string {
  const whole = canonicalEvent({
    actor: text(meta.actor, '/actor'),
    causationId: meta.causationId === undefined ? 'null' : text(meta.causationId, '/causationId'),
    command: text(meta.command, '/command'),
    correlationId: text(meta.correlationId, '/correlationId'),
    data: data(event.data),
    occurredAt: `"${SEPARATOR}"`,
    schemaVersion: schemaVersion(event.schemaVersion),
    streamId: text(streamId, '/streamId'),
    subjects: `[${event.subjects.map((subject, index) => text(subject, `/subjects/${index}`)).join(',')}]`,
    type: text(event.type, '/type'),
    version: '',
  });
  return whole.slice(0, -'}'.length);
}

/** The canonical JSON of the event that a draft became: what `append_events` makes of it. @param occurredAt ISO 8601, as that gave it */
export function completedDraft(draft: string, occurredAt: string, version: number): string {
  const at = draft.indexOf(SEPARATOR);
  return `${draft.slice(0, at)}${occurredAt}${draft.slice(at + SEPARATOR.length)}${String(version)}}`;
}

export interface DraftEvent {
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: object;
  readonly subjects: readonly string[];
}

/** The drafts of several events as one parameter. */
export function joinDrafts(drafts: readonly string[]): string {
  return drafts.join(SEPARATOR);
}

function data(value: object): string {
  try {
    const json = canonicalJson(value);
    if (json.startsWith('{') || json.startsWith('[')) return json;
  } catch (error) {
    if (error instanceof InvalidEvent) throw new InvalidEvent(`/data${error.pointer}`, error.reason);
    throw error;
  }
  throw new InvalidEvent('/data', 'must be an object');
}

function text(value: string, pointer: string): string {
  if (value === '') throw new InvalidEvent(pointer, 'must not be empty');
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof InvalidEvent) throw new InvalidEvent(pointer, error.reason);
    throw error;
  }
}

function schemaVersion(value: number): string {
  if (!Number.isInteger(value) || value < 1 || value > 2 ** 31 - 1) throw new InvalidEvent('/schemaVersion', 'must be a positive integer');
  return String(value);
}
