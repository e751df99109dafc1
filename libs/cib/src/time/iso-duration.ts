const ELEMENT = /([+-]?\d{1,10})([YMWDHS])/y;
const DAY = 86_400;

/**
 * Reads an ISO 8601 duration in the cluster's reading of it (specification 01 §10.5) and gives its length in seconds: a year is 365 days, a month
 * 30. Elements may come in any order, and `T` is needed only to make `M` minutes. Years and months replace an earlier element of their
 * kind, the others add up. It ends at the end of the text, a slash or a blank. Undefined when invalid.
 */
export function isoDurationSeconds(text: string): number | undefined {
  if (!text.startsWith('P')) return undefined;
  let years = 0;
  let months = 0;
  let rest = 0;
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
    else rest += value * secondsOf(unit);
    elements += 1;
    index = ELEMENT.lastIndex;
  }
  return elements === 0 ? undefined : years * 365 * DAY + months * 30 * DAY + rest;
}

function secondsOf(unit: string | undefined): number {
  switch (unit) {
    case 'W':
      return 7 * DAY;
    case 'D':
      return DAY;
    case 'H':
      return 3600;
    case 'M':
      return 60;
    default:
      return 1;
  }
}
