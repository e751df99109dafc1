import { skipDigits } from '../scalars/integer.js';
import type { XmlElement } from '../xml/element.js';
import { calendarDate, dayOfYear, weekDate } from './calendar.js';
import { DAY_SECONDS } from './date-time.js';
import type { DateTime } from './date-time.js';

/** The calendar fields a `date_spec` may name, read from a moment in its own offset (specification 01 §6.4). */
function fieldReaders({ epochSeconds, offsetSeconds }: DateTime): Readonly<Record<(typeof DATE_SPEC_FIELDS)[number], () => number>> {
  const local = epochSeconds + offsetSeconds;
  const day = Math.floor(local / DAY_SECONDS);
  const second = local - day * DAY_SECONDS;
  return {
    years: () => calendarDate(day).year,
    months: () => calendarDate(day).month,
    monthdays: () => calendarDate(day).day,
    hours: () => Math.floor(second / 3600),
    minutes: () => Math.floor(second / 60) % 60,
    seconds: () => second % 60,
    yeardays: () => dayOfYear(calendarDate(day)),
    weekyears: () => weekDate(day).weekYear,
    weeks: () => weekDate(day).week,
    weekdays: () => weekDate(day).weekday,
  };
}

/** The calendar fields of a moment in its own offset. */
export function dateFields(now: DateTime): Readonly<Record<(typeof DATE_SPEC_FIELDS)[number], number>> {
  const readers = fieldReaders(now);
  return Object.fromEntries(DATE_SPEC_FIELDS.map((field) => [field, readers[field]()])) as Record<
    (typeof DATE_SPEC_FIELDS)[number],
    number
  >;
}

/** Names of the calendar fields that a `date_spec` may limit. */
export const DATE_SPEC_FIELDS = [
  'years',
  'months',
  'monthdays',
  'hours',
  'minutes',
  'seconds',
  'yeardays',
  'weekyears',
  'weeks',
  'weekdays',
] as const;

/** Whether every present field's range holds the moment's value; an invalid range matches nothing. */
export function matchesDateSpec(spec: XmlElement, now: DateTime): boolean {
  const readers = fieldReaders(now);
  return DATE_SPEC_FIELDS.every((field) => {
    const text = spec.attributes[field];
    if (text === undefined) return true;
    const range = parseDateRange(text);
    const value = readers[field]();
    return range !== undefined && range.low <= value && value <= range.high;
  });
}

/** Reads `N`, `N-M`, `N-` or `-M`; open ends are infinite. Undefined when invalid. */
export function parseDateRange(text: string): { readonly low: number; readonly high: number } | undefined {
  const dash = text.indexOf('-');
  if (dash < 0) {
    const only = digits(text);
    return only === undefined ? undefined : { low: only, high: only };
  }
  const [before, after] = [text.slice(0, dash), text.slice(dash + 1)];
  if (before === '' && after === '') return undefined;
  const low = before === '' ? -Infinity : digits(before);
  const high = after === '' ? Infinity : digits(after);
  return low === undefined || high === undefined ? undefined : { low, high };
}

function digits(text: string): number | undefined {
  return text !== '' && skipDigits(text, 0) === text.length ? Number(text) : undefined;
}
