const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = [
  ...(['January', 'February', 'March', 'April', 'May', 'June'] as const),
  ...(['July', 'August', 'September', 'October', 'November', 'December'] as const),
] as const;

/** Longest text that comes of a format, characters. */
const LONGEST = 1_024;

const DAY_MS = 86_400_000;

/** Flags, a width, and a modifier of a locale, which the C locale has no use for. */
const CONVERSION = /%([-_0+^#]*)(\d*)[EO]?(:{0,3}z|[A-Za-z%])/g;

/**
 * A time in the node's time zone as date(1) writes it in the C locale, `%N` with so many digits of a second as are asked for (`%6N`, `%06N`; nine of them without) included. What is no conversion stays as it is.
 *
 * @param atMs epoch ms
 */
export function timestampText(format: string, atMs: number): string {
  const at = new Date(atMs);
  return format
    .replace(CONVERSION, (whole, flags: string, digits: string, letter: string) => {
      if (letter === 'N') return fraction(atMs, flags, digits);
      const written = CONVERSIONS[letter]?.(at);
      return written === undefined ? whole : fitted(written, { letter, flags, digits });
    })
    .slice(0, LONGEST);
}

/** What a conversion comes to before it is padded: numbers have something that they are padded with, and how far. */
type Written = string | { readonly number: number; readonly width: number; readonly pad: '0' | ' ' };

interface Asked {
  readonly letter: string;
  readonly flags: string;
  readonly digits: string;
}

function fitted(written: Written, { letter, flags, digits }: Asked): string {
  // Of several that say how to pad the last one counts.
  const padding = /[-_0+](?=[\^#]*$)/.exec(flags)?.[0];
  const { text, width, pad } =
    typeof written === 'string'
      ? ({ text: inCase(written, letter, flags), width: 0, pad: ' ' } as const)
      : { text: String(written.number), width: written.width, pad: written.pad };
  if (padding === '-') return text;
  const by = padding === undefined ? pad : padding === '_' ? ' ' : '0';
  return text.padStart(Math.min(digits === '' ? width : Number(digits), LONGEST), by);
}

/** In capitals with `^`, but for `%P`. With `#` in the opposite case, where it is a name, a zone or a half of the day. */
function inCase(text: string, letter: string, flags: string): string {
  if (flags.includes('#')) {
    if (letter === 'Z' || letter === 'p') return text.toLowerCase();
    if ('aAbBh'.includes(letter)) return text.toUpperCase();
  }
  return flags.includes('^') && letter !== 'P' ? text.toUpperCase() : text;
}

type Conversion = (at: Date) => Written;

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  '%': () => '%',
  n: () => '\n',
  t: () => '\t',
  a: (at) => dayOf(at).slice(0, 3),
  A: dayOf,
  b: (at) => monthOf(at).slice(0, 3),
  h: (at) => monthOf(at).slice(0, 3),
  B: monthOf,
  C: (at) => padded(Math.floor(at.getFullYear() / 100)),
  d: (at) => padded(at.getDate()),
  e: (at) => padded(at.getDate(), 2, ' '),
  H: (at) => padded(at.getHours()),
  k: (at) => padded(at.getHours(), 2, ' '),
  I: (at) => padded(hour12(at)),
  l: (at) => padded(hour12(at), 2, ' '),
  j: (at) => padded(dayOfYear(at), 3),
  m: (at) => padded(at.getMonth() + 1),
  M: (at) => padded(at.getMinutes()),
  p: (at) => (at.getHours() < 12 ? 'AM' : 'PM'),
  P: (at) => (at.getHours() < 12 ? 'am' : 'pm'),
  q: (at) => padded(Math.floor(at.getMonth() / 3) + 1, 1),
  s: (at) => padded(Math.floor(at.getTime() / 1_000), 1),
  S: (at) => padded(at.getSeconds()),
  u: (at) => padded(at.getDay() === 0 ? 7 : at.getDay(), 1),
  w: (at) => padded(at.getDay(), 1),
  U: (at) => padded(weekFrom(at, 0)),
  W: (at) => padded(weekFrom(at, 1)),
  V: (at) => padded(isoWeek(at).week),
  G: (at) => padded(isoWeek(at).year, 4),
  g: (at) => padded(isoWeek(at).year % 100),
  y: (at) => padded(at.getFullYear() % 100),
  Y: (at) => padded(at.getFullYear(), 4),
  z: (at) => offset(at, ''),
  ':z': (at) => offset(at, ':'),
  '::z': (at) => `${offset(at, ':')}:00`,
  ':::z': (at) => offset(at, ':').replace(/:00$/, ''),
  Z: zone,
  D: composed('%m/%d/%y'),
  x: composed('%m/%d/%y'),
  F: composed('%Y-%m-%d'),
  T: composed('%H:%M:%S'),
  X: composed('%H:%M:%S'),
  R: composed('%H:%M'),
  r: composed('%I:%M:%S %p'),
  c: composed('%a %b %e %H:%M:%S %Y'),
};

function composed(format: string): Conversion {
  return (at) => timestampText(format, at.getTime());
}

function padded(number: number, width = 2, pad: '0' | ' ' = '0'): Written {
  return { number, width, pad };
}

function dayOf(at: Date): string {
  return DAYS[at.getDay()] ?? '';
}

function monthOf(at: Date): string {
  return MONTHS[at.getMonth()] ?? '';
}

function hour12(at: Date): number {
  return at.getHours() % 12 === 0 ? 12 : at.getHours() % 12;
}

/** Days since 1970 by the calendar of the node's time zone. */
function dayNumber(at: Date): number {
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / DAY_MS;
}

function dayOfYear(at: Date): number {
  return dayNumber(at) - Date.UTC(at.getFullYear(), 0, 1) / DAY_MS + 1;
}

/** Weeks of the year that begin with this day of the week, counted from its first one. */
function weekFrom(at: Date, first: number): number {
  return Math.floor((dayOfYear(at) + 6 - ((at.getDay() - first + 7) % 7)) / 7);
}

/** The week is of the year that has its Thursday. */
function isoWeek(at: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date((dayNumber(at) + 4 - (at.getDay() === 0 ? 7 : at.getDay())) * DAY_MS);
  const year = thursday.getUTCFullYear();
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1 };
}

function offset(at: Date, between: string): string {
  const minutes = -at.getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) => String(part).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${hours ?? ''}${between}${rest ?? ''}`;
}

function zone(at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Cut off rather than padded: of a second only so many digits. With blanks it ends in those where it would in noughts. */
function fraction(atMs: number, flags: string, width: string): string {
  const digits = width === '' ? 9 : Math.min(9, Number(width));
  const text = String(Math.floor((((atMs % 1_000) + 1_000) % 1_000) * 1_000_000))
    .padStart(9, '0')
    .slice(0, digits);
  return flags.endsWith('_') ? text.replace(/(?!^)0+$/, (noughts) => ' '.repeat(noughts.length)) : text;
}
