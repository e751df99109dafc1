import type { ClusterEvent } from './cluster-event.js';

/** Everything but what XML 1.0 §2.2 calls a character; with the `u` flag a surrogate matches only when it stands alone. */
const NOT_CARRIED = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
const ALL_NOT_CARRIED = new RegExp(NOT_CARRIED.source, 'gu');
/** U+2400 to U+241F show the control characters U+0000 to U+001F. */
const CONTROL_PICTURES = 0x2400;
const REPLACEMENT_CHARACTER = '\u{FFFD}';

/**
 * An event as the CIB can hold it. Before servers replaced what XML can't carry where it came in, programs' output was recorded as it was; the log can't be
 * changed, so it is replaced here, in the same visible way, each time such an event is read. An event without such text is given back itself.
 */
export function readableEvent(event: ClusterEvent): ClusterEvent {
  // What stands in these was read as XML before it was recorded.
  if (event.type === 'ClusterCreated' || event.type === 'ConfigurationChanged') return event;
  return isReadable(event.data) ? event : ({ type: event.type, data: readable(event.data) } as ClusterEvent);
}

function isReadable(value: unknown): boolean {
  if (typeof value === 'string') return !NOT_CARRIED.test(value);
  if (typeof value !== 'object' || value === null) return true;
  const entries = value as Readonly<Record<string, unknown>>;
  return Object.keys(entries).every((name) => isReadable(entries[name]) && !NOT_CARRIED.test(name));
}

function readable(value: unknown): unknown {
  if (typeof value === 'string') return readableText(value);
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [readableText(name), readable(entry)]));
}

function readableText(text: string): string {
  return text.replace(ALL_NOT_CARRIED, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(CONTROL_PICTURES + code) : REPLACEMENT_CHARACTER;
  });
}
