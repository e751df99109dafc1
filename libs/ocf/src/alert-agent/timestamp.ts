const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = [
  ...(['January', 'February', 'March', 'April', 'May', 'June'] as const),
  ...(['July', 'August', 'September', 'October', 'November', 'December'] as const),
] as const;

/** Longest text that comes of a format, characters. */
const LONGEST = 1_024;

/**
 * A time in the node's time zone as date(1) writes it in the C locale, and `%N` with so many digits of a second as are asked for (`%6N`, `%06N`; nine of them without). What is no conversion stays as it is.
 *
 * @param atMs epoch ms
 */
export function timestampText(format: string, atMs: number): string {
  const at = new Date(atMs);
  return format
    .replace(/%(\d*)([A-Za-z%])/g, (whole, digits: string, letter: string) => {
      if (letter === 'N') return fraction(atMs, digits === '' ? 9 : Math.min(9, Number(digits)));
      return digits === '' ? (CONVERSIONS[letter]?.(at) ?? whole) : whole;
    })
    .slice(0, LONGEST);
}

type Conversion = (at: Date) => string;

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  '%': () => '%',
  n: () => '\n',
  t: () => '\t',
  a: (at) => dayOf(at).slice(0, 3),
  A: (at) => dayOf(at),
  b: (at) => monthOf(at).slice(0, 3),
  h: (at) => monthOf(at).slice(0, 3),
  B: (at) => monthOf(at),
  C: (at) => padded(Math.floor(at.getFullYear() / 100)),
  d: (at) => padded(at.getDate()),
  e: (at) => padded(at.getDate(), 2, ' '),
  H: (at) => padded(at.getHours()),
  k: (at) => padded(at.getHours(), 2, ' '),
  I: (at) => padded(hour12(at)),
  l: (at) => padded(hour12(at), 2, ' '),
  j: (at) => padded(Math.round((midnight(at) - new Date(at.getFullYear(), 0, 1).getTime()) / 86_400_000) + 1, 3),
  m: (at) => padded(at.getMonth() + 1),
  M: (at) => padded(at.getMinutes()),
  p: (at) => (at.getHours() < 12 ? 'AM' : 'PM'),
  s: (at) => String(Math.floor(at.getTime() / 1_000)),
  S: (at) => padded(at.getSeconds()),
  u: (at) => String(at.getDay() === 0 ? 7 : at.getDay()),
  w: (at) => String(at.getDay()),
  y: (at) => padded(at.getFullYear() % 100),
  Y: (at) => String(at.getFullYear()),
  z: (at) => offset(at),
  Z: (at) => zone(at),
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

function padded(value: number, width = 2, by = '0'): string {
  return String(value).padStart(width, by);
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

function midnight(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}

function offset(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  return `${minutes < 0 ? '-' : '+'}${padded(Math.floor(Math.abs(minutes) / 60))}${padded(Math.abs(minutes) % 60)}`;
}

function zone(at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

function fraction(atMs: number, digits: number): string {
  return `${padded(Math.floor(atMs) % 1_000, 3)}000000`.slice(0, digits);
}
