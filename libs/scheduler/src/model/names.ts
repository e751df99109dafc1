/** Whether a character code is that of a decimal digit. */
export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** Natural name order (specification 04 §2.2): case ignored, digit runs compared as numbers, a shorter run of equal value first. */
export function compareNatural(a: string, b: string): number {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (isDigit(a.charCodeAt(i)) && isDigit(b.charCodeAt(j))) {
      const startA = i;
      const startB = j;
      while (i < a.length && isDigit(a.charCodeAt(i))) i++;
      while (j < b.length && isDigit(b.charCodeAt(j))) j++;
      const runA = a.slice(startA, i).replace(/^0+(?=\d)/, '');
      const runB = b.slice(startB, j).replace(/^0+(?=\d)/, '');
      if (runA.length !== runB.length) return runA.length - runB.length;
      if (runA !== runB) return runA < runB ? -1 : 1;
      if (i - startA !== j - startB) return i - startA - (j - startB);
    } else {
      const difference = lower(a.charCodeAt(i)) - lower(b.charCodeAt(j));
      if (difference !== 0) return difference;
      i++;
      j++;
    }
  }
  return a.length - i - (b.length - j);
}

/** Byte order of two strings (specification 04 §10.1 key 6): UTF-8 sorts as code points do. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    // A surrogate stands for a code point above all that are written in one unit.
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** Strips one trailing `:digits` (specification 02 §10.1). */
export function baseName(id: string): string {
  return id.includes(':') ? id.replace(/:[0-9]+$/, '') : id;
}

/** Equality with ASCII case ignored. */
export function sameText(a: string | undefined, b: string | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.length === b.length && a.toLowerCase() === b.toLowerCase());
}

/** Stable top-down merge sort with halves floor(n/2) and the rest (specification 03 §7.3, 04 §12.4); the order matters where a comparison is not transitive. */
export function mergeSort<T>(items: readonly T[], compare: (a: T, b: T) => number): T[] {
  if (items.length < 2) return [...items];
  const middle = Math.floor(items.length / 2);
  const left = mergeSort(items.slice(0, middle), compare);
  const right = mergeSort(items.slice(middle), compare);
  const merged: T[] = [];
  let i = 0;
  for (const item of right) {
    for (let next = left[i]; next !== undefined && compare(next, item) <= 0; next = left[++i]) merged.push(next);
    merged.push(item);
  }
  for (; i < left.length; i++) merged.push(left[i] as T);
  return merged;
}
