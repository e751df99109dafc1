import { parseInterval } from '@systole/cib';

/** A time as cluster options write it (`60s`, `2min`, ISO 8601 durations; without a unit: seconds), in ms; the fallback when it is none. */
export function durationMs(text: string | undefined, fallbackMs: number): number {
  return text === undefined ? fallbackMs : (parseInterval(text) ?? fallbackMs);
}
