import { HttpProblem } from '../http/problem.js';

/** An event as the clients of a stream know it. */
export interface KnownEvent {
  readonly version: number;
  /** The beginning of its hash; absent in ids from before ids carried it. */
  readonly hash?: string;
}

/** So much of the hash tells two events of one version apart: those of a log that lost its end and grew again. */
export const HASH_CHARS = 16;
const ID = /^(\d{1,15})(?:\.([0-9a-f]{16}))?$/;

/** The id under which an event is sent: `<version>.<beginning of its hash>`; of the place before the first event `0`. */
export function eventId({ version, hash }: KnownEvent): string {
  return hash === undefined ? String(version) : `${String(version)}.${hash.slice(0, HASH_CHARS)}`;
}

/** Undefined when it is none. */
function parseEventId(text: string): KnownEvent | undefined {
  const [, version, hash] = ID.exec(text) ?? [];
  if (version === undefined) return undefined;
  return { version: Number(version), ...(hash === undefined ? {} : { hash }) };
}

/** Whether the event that a log holds at that version is the one that is known. */
export function isSameEvent(known: KnownEvent, hash: string): boolean {
  return known.hash === undefined || hash.startsWith(known.hash);
}

/** What the header `Last-Event-ID` names; undefined when it names nothing. @throws {HttpProblem} 400 */
export function lastEvent(lastEventId: string | undefined): KnownEvent | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  const known = parseEventId(lastEventId);
  if (known === undefined) {
    const detail = 'must be the id of an event of this stream';
    throw new HttpProblem(400, 'malformed-header', `Last-Event-ID ${detail}`, { errors: [{ header: 'Last-Event-ID', detail }] });
  }
  return known;
}
