import { calendarDate, daysInMonth, daysInYear, epochDay, epochDayOfOrdinal, epochDayOfWeek, weeksInYear } from './calendar.js';

/** A moment, and the offset from UTC in which calendar fields are read from it; both in seconds. */
export interface DateTime {
  readonly epochSeconds: number;
  readonly offsetSeconds: number;
}

/** Seconds of one day. */
export const DAY_SECONDS = 86_400;

/** What a text may leave open when it names a date or time. */
export interface DateTimeContext {
  /** Offset of times that state none: the cluster's local time zone, in seconds east of UTC; default 0. */
  readonly localOffsetSeconds?: number;
  /** The day of a text that states only a time; without it such a text is invalid. */
  readonly today?: DateTime;
}

/** A moment in UTC. */
export function utc(epochSeconds: number): DateTime {
  return { epochSeconds, offsetSeconds: 0 };
}

/**
 * Reads a date and time as rules write them (specification 01 §6.1): `YYYY-MM-DD`, `YYYYMMDD`, `YYYY-DDD`, `YYYY-Www-D`, `epoch`, or only a time;
 * then after `T` or one blank `HH[:MM[:SS]]` or `HH[MM[SS]]` and an offset. A date without a time is midnight UTC; a time without an offset is
 * local. Undefined when invalid.
 */
export function parseDateTime(text: string, context: DateTimeContext = {}): DateTime | undefined {
  if (/^epoch(?:$|[/ ])/i.test(text)) return utc(0);
  if (text.startsWith('T') || text.charAt(2) === ':') {
    if (context.today === undefined) return undefined;
    const day = Math.floor((context.today.epochSeconds + context.today.offsetSeconds) / DAY_SECONDS);
    return withTime(day, text.startsWith('T') ? text.slice(1) : text, context);
  }
  const match = /^(\d{4}-\d{2}-\d{2}|\d{8}|\d{4}-\d{3}|\d{4}-W\d{2}-\d)(?:[T ](.*))?$/s.exec(text);
  const day = match?.[1] === undefined ? undefined : parseDay(match[1]);
  if (match === null || day === undefined) return undefined;
  return match[2] === undefined ? utc(day * DAY_SECONDS) : withTime(day, match[2], context);
}

function parseDay(text: string): number | undefined {
  const year = Number(text.slice(0, 4));
  if (text.charAt(5) === 'W') {
    const week = Number(text.slice(6, 8));
    const weekday = Number(text.slice(9));
    const valid = week >= 1 && week <= weeksInYear(year) && weekday >= 1 && weekday <= 7;
    return valid ? epochDayOfWeek({ weekYear: year, week, weekday }) : undefined;
  }
  if (text.length === 8 && text.charAt(4) === '-') {
    const ordinal = Number(text.slice(5));
    return ordinal >= 1 && ordinal <= daysInYear(year) ? epochDayOfOrdinal(year, ordinal) : undefined;
  }
  const digits = text.replaceAll('-', '');
  const month = Number(digits.slice(4, 6));
  const day = Number(digits.slice(6));
  const valid = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return valid ? epochDay({ year, month, day }) : undefined;
}

function withTime(day: number, text: string, context: DateTimeContext): DateTime | undefined {
  const match = /^(\d{2})(?::(\d{2})(?::(\d{2}))?|(\d{2})(\d{2})?)?(?: *(Z|[+-]\d{2}(?::?\d{2})?))?$/.exec(text);
  if (match === null) return undefined;
  const hours = Number(match[1]);
  const minutes = Number(match[2] ?? match[4] ?? 0);
  const seconds = Number(match[3] ?? match[5] ?? 0);
  const secondOfDay = hours * 3600 + minutes * 60 + seconds;
  if (minutes > 59 || seconds > 59 || secondOfDay > DAY_SECONDS) return undefined;
  const offsetSeconds = match[6] === undefined ? (context.localOffsetSeconds ?? 0) : parseOffset(match[6]);
  return offsetSeconds === undefined ? undefined : { epochSeconds: day * DAY_SECONDS + secondOfDay - offsetSeconds, offsetSeconds };
}

function parseOffset(text: string): number | undefined {
  if (text === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  const seconds = hours * 3600 + minutes * 60;
  return text.startsWith('-') && seconds > 0 ? -seconds : seconds;
}

/** Components to add to a moment; they are added in the order of this list and may be negative. */
export interface DurationComponents {
  readonly years?: number;
  readonly months?: number;
  readonly weeks?: number;
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

/**
 * Adds a duration (specification 01 §6.2): years and months keep the day of the month, or take the month's last one, and stop at year 1;
 * the rest are plain seconds, which carry into days at 24:00:00.
 */
export function addDuration(start: DateTime, duration: DurationComponents): DateTime {
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = duration;
  const shifted = addMonths(addMonths(start, years * 12), months);
  const added = (weeks * 7 + days) * DAY_SECONDS + hours * 3600 + minutes * 60 + seconds;
  return { ...shifted, epochSeconds: shifted.epochSeconds + added };
}

function addMonths(start: DateTime, months: number): DateTime {
  if (months === 0) return start;
  const local = start.epochSeconds + start.offsetSeconds;
  const startDay = Math.floor(local / DAY_SECONDS);
  const date = calendarDate(startDay);
  const count = Math.max(12, date.year * 12 + date.month - 1 + months);
  const year = Math.floor(count / 12);
  const month = (count % 12) + 1;
  const day = epochDay({ year, month, day: Math.min(date.day, daysInMonth(year, month)) });
  return { ...start, epochSeconds: start.epochSeconds + (day - startDay) * DAY_SECONDS };
}
