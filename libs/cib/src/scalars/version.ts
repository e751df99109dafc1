import { skipDigits, skipSpace } from './integer.js';

/**
 * Compares dotted versions by their leading digit groups; missing groups count as 0 and text after them is ignored
 * (specification 01 §10.7). Negative, zero or positive, as a sort function returns.
 */
export function compareVersions(a: string, b: string): number {
  const left = versionGroups(a);
  const right = versionGroups(b);
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const order = compareDigits(left[index] ?? '', right[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

function versionGroups(text: string): string[] {
  const groups: string[] = [];
  let start = skipSpace(text, 0);
  for (;;) {
    const end = skipDigits(text, start);
    if (end === start) return groups;
    groups.push(text.slice(start, end).replace(/^0+/, ''));
    if (text.charAt(end) !== '.') return groups;
    start = end + 1;
  }
}

/** Compares two numbers of any length, written without leading zeros. */
function compareDigits(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}
