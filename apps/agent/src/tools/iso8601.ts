import {
  calendarDate,
  DAY_SECONDS,
  dayOfYear,
  isoDurationParts,
  lifetimeEnd,
  parseDateTime,
  utc,
  weekDate,
  type DateTime,
} from '@systole/cib';
import { flag, type OptionSpec, parseArguments, type ParsedArguments, value } from './arguments.js';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from './tool.js';

const OPTIONS: readonly OptionSpec[] = [
  flag('now', '-n', '--now'),
  value('date', '-d', '--date'),
  value('period', '-p', '--period'),
  value('duration', '-D', '--duration'),
  value('expected', '-E', '--expected'),
  flag('seconds', '-s', '--seconds'),
  flag('epoch', '-S', '--epoch'),
  flag('local', '-L', '--local'),
  flag('ordinal', '-O', '--ordinal'),
  flag('week', '-W', '--week'),
  flag('verbose', '-V', '--verbose'),
];

type Options = ParsedArguments['options'];

/** Exit code of what is no date, no duration, no period. */
const NOT_THAT = 2;

/** `iso8601`: reads dates, periods and durations as rules have them, and shows them. It asks nobody. */
export function iso8601(call: ToolCall): Promise<ToolResult> {
  const { options } = parseArguments(call.args, OPTIONS);
  const lines: string[] = [];
  if (options['now'] !== undefined) lines.push(`Current date/time: ${shown(utc(Math.floor(Date.now() / 1_000)), options)}`);
  const date = options['date'] === undefined ? undefined : dateIn(options['date'], 'date/time', options['date']);
  if (date !== undefined) lines.push(`Date: ${shown(date, options)}`);
  let last = date === undefined ? undefined : shown(date, options);
  if (options['duration'] !== undefined) {
    lines.push(`Duration: ${durationText(options['duration'])}`);
    const end = date === undefined ? undefined : endOf(options['duration'], date);
    if (end !== undefined) {
      last = shown(end, options);
      lines.push(`Duration ends at: ${last}`);
    }
  }
  if (options['period'] !== undefined) {
    last = periodText(options['period'], options);
    lines.push(`Period: ${last}`);
  }
  const isExpected = options['expected'] === undefined || options['expected'] === last;
  return Promise.resolve({ stdout: lines.map((line) => `${line}\n`).join(''), stderr: '', exitCode: isExpected ? EXIT.OK : EXIT.ERROR });
}

/** Of what follows a slash nothing is read. */
function dateIn(text: string, what: string, whole: string): DateTime {
  const found = parseDateTime(text.split('/', 1)[0] ?? '', { today: utc(Math.floor(Date.now() / 1_000)) });
  if (found === undefined) throw new ToolFailure(NOT_THAT, `Invalid ${what} specified: ${whole}`);
  return found;
}

function endOf(duration: string, start: DateTime): DateTime {
  const end = lifetimeEnd(duration, start);
  if (end === undefined) throw new ToolFailure(NOT_THAT, `Invalid duration specified: ${duration}`);
  return end;
}

function periodText(text: string, options: Options): string {
  const [first = '', second] = text.split('/');
  if (second === undefined) throw new ToolFailure(NOT_THAT, `Invalid interval specified: ${text}`);
  const start = dateIn(first, 'interval', text);
  const end = second.startsWith('P') ? endOf(second, start) : dateIn(second, 'interval', text);
  return `${shown(start, options)} to ${shown(end, options)}`;
}

/** Seconds from the first day of the year 0, as the calendar of the tool counts them, to that of 1970. */
const BEFORE_EPOCH = 62_135_596_800;

function shown(date: DateTime, options: Options): string {
  if (options['seconds'] !== undefined) return String(date.epochSeconds + BEFORE_EPOCH);
  if (options['epoch'] !== undefined) return String(date.epochSeconds);
  const local = options['local'] === undefined ? 0 : -new Date(date.epochSeconds * 1_000).getTimezoneOffset() * 60;
  const seconds = date.epochSeconds + local;
  const day = Math.floor(seconds / DAY_SECONDS);
  return `${dayText(day, options)} ${timeText(seconds - day * DAY_SECONDS)}${local === 0 ? 'Z' : zoneText(local)}`;
}

function dayText(day: number, options: Options): string {
  const date = calendarDate(day);
  const year = String(date.year).padStart(4, '0');
  if (options['week'] !== undefined) {
    const { weekYear, week, weekday } = weekDate(day);
    return `${String(weekYear).padStart(4, '0')}-W${two(week)}-${String(weekday)}`;
  }
  if (options['ordinal'] !== undefined) return `${year}-${String(dayOfYear(date)).padStart(3, '0')}`;
  return `${year}-${two(date.month)}-${two(date.day)}`;
}

function timeText(seconds: number): string {
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function zoneText(seconds: number): string {
  const minutes = Math.abs(seconds) / 60;
  return ` ${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function durationText(text: string): string {
  const parts = isoDurationParts(text);
  if (parts === undefined) throw new ToolFailure(NOT_THAT, `Invalid duration specified: ${text}`);
  const { years, months, days, seconds } = parts;
  const some = (count: number, unit: string, width: number): string =>
    count === 0 ? '' : `${String(count).padStart(width)} ${unit}${count === 1 ? '' : 's'} `;
  const hours = Math.floor(seconds / 3_600);
  const inner = [some(hours, 'hour', 0), some(Math.floor(seconds / 60) % 60, 'minute', 0), some(seconds % 60, 'second', 0)].join('').trim();
  const rest = seconds === 0 ? '' : `${some(seconds, 'second', 0)}${seconds < 60 ? '' : `(${inner})`}`;
  return `${some(years, 'year', 4)}${some(months, 'month', 2)}${some(days, 'day', 2)}${rest}`;
}
