const DAY = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/;
/** The second that is put in at the end of a day (RFC 3339 §5.6), with its fraction. */
const LEAP_SECOND = /(T\d{2}:\d{2}:)60(?:[.,]\d+)?/;
const TIME_WITHOUT_OFFSET = /T[\d:.,]+$/;
/** Hours and minutes that a place is away from UTC. */
const OFFSET = /T.*[+-](\d{2}):?(\d{2})$/;

/**
 * The moment that a text of ISO 8601 names, epoch ms; in UTC where it names no offset; undefined for what is none. The clock of JavaScript takes days that a month does not have for those of the next one, and
 * knows no leap second: that is taken for the beginning of the next one, where a month ends in UTC.
 */
export function momentIn(text: string): number | undefined {
  const [, year = '', month = '', day = ''] = DAY.exec(text) ?? [];
  const [, hours = '0', minutes = '0'] = OFFSET.exec(text) ?? [];
  if (!isDay(Number(year), Number(month), Number(day)) || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const isLeap = LEAP_SECOND.test(text);
  // A time without an offset would be that of wherever this server is.
  const utc = TIME_WITHOUT_OFFSET.test(text) ? `${text}Z` : text;
  const at = Date.parse(utc.replace(LEAP_SECOND, '$159')) + (isLeap ? 1_000 : 0);
  if (Number.isNaN(at) || (isLeap && !/-01T00:00:00\.000Z$/.test(new Date(at).toISOString()))) return undefined;
  return at;
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
