const ELEMENT = /([+-]?\d{1,10})([YMWDHS])/y;
const DAY = 86_400;

/**
 * Reads an ISO 8601 duration in the cluster's reading of it (specification 01 §10.5) and gives its length in seconds: a year is 365 days, a month
 * 30. Elements may come in any order, and `T` is needed only to make `M` minutes. Years and months replace an earlier element of their
 * kind, the others add up. It ends at the end of the text, a slash or a blank. Undefined when invalid.
 */
export function isoDurationSeconds(text: string): number | undefined {
  const parts = isoDurationParts(text);
  if (parts === undefined) return undefined;
  const { years, months, days, seconds } = parts;
  return (years * 365 + months * 30 + days) * DAY + seconds;
}

/** What a duration is made of: weeks are days, hours and minutes are seconds. Undefined when it is none. */
export interface IsoDurationParts {
  readonly years: number;
  readonly months: number;
  readonly days: number;
  readonly seconds: number;
}

/** Reads the parts of an ISO 8601 duration, see {@link isoDurationSeconds}. */
export function isoDurationParts(text: string): IsoDurationParts | undefined {
  if (!text.startsWith('P')) return undefined;
  let years = 0;
  let months = 0;
  let days = 0;
  let seconds = 0;
  let elements = 0;
  let afterT = false;
  let index = 1;
  while (index < text.length && text.charAt(index) !== '/' && text.charAt(index) !== ' ') {
    if (text.charAt(index) === 'T') {
      afterT = true;
      index += 1;
      continue;
    }
    ELEMENT.lastIndex = index;
    const match = ELEMENT.exec(text);
    if (match === null) return undefined;
    const value = Number(match[1]);
    const unit = match[2];
    if (unit === 'Y') years = value;
    else if (unit === 'M' && !afterT) months = value;
    else if (unit === 'W' || unit === 'D') days += value * (unit === 'W' ? 7 : 1);
    else seconds += value * secondsOf(unit);
    elements += 1;
    index = ELEMENT.lastIndex;
  }
  return elements === 0 ? undefined : { years, months, days, seconds };
}

function secondsOf(unit: string | undefined): number {
  switch (unit) {
    case 'H':
      return 3600;
    case 'M':
      return 60;
    default:
      return 1;
  }
}
