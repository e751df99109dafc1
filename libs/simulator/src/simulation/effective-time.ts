import { parseDateTime, parseInteger, utc, type XmlElement } from '@systole/cib';
import { utcText } from '../status/date-text.js';

/** The moment for which a simulation is made (specification 08 §2.3). */
export interface EffectiveTime {
  /** Epoch seconds. */
  readonly now: number;
  /** The line that tells of a time other than the real one. */
  readonly notice?: string;
}

/** A time that was asked for can't be read. */
export class InvalidTimeError extends Error {
  override readonly name = 'InvalidTimeError';

  constructor(readonly text: string) {
    super(`"${text}" is no date or time: write it in ISO 8601, e.g. "2026-01-31 13:00:00Z", or as seconds since 1970`);
  }
}

/** What the effective time depends on. */
export interface TimeSource {
  /** Time that was asked for, as written. */
  readonly wanted?: string | undefined;
  /** Real time in epoch seconds. */
  readonly clock: number;
  /** Seconds east of UTC, for times without an offset; default 0. */
  readonly localOffsetSeconds?: number | undefined;
}

/**
 * The time that was asked for, else the CIB's `execution-date`, else the real one.
 *
 * @throws {InvalidTimeError} when the wanted time can't be read.
 */
export function effectiveTime(document: XmlElement, { wanted, clock, localOffsetSeconds = 0 }: TimeSource): EffectiveTime {
  if (wanted !== undefined) {
    const now = parseDateTime(wanted, { localOffsetSeconds, today: utc(clock) })?.epochSeconds ?? epochSeconds(wanted);
    if (now === undefined) throw new InvalidTimeError(wanted);
    return { now, notice: `Setting effective cluster time: ${wanted}` };
  }
  const original = parseInteger(document.attributes['execution-date']);
  if (original === undefined) return { now: clock };
  return { now: original, notice: `Using the original execution date of: ${utcText(original)}` };
}

/** Seconds since 1970, as digits; a date that is written in digits only (20260131) was taken as one before. */
function epochSeconds(text: string): number | undefined {
  return /^\d+$/.test(text) ? parseInteger(text) : undefined;
}
