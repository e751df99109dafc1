/**
 * Indexes of a longest strictly increasing subsequence, ascending. In a diff of two orders these are the elements that stay where they
 * are; all others move.
 */
export function longestIncreasing(values: readonly number[]): number[] {
  /** For each length, the index of the smallest last value of a subsequence of that length. */
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = index;
  }
  const found: number[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) found.push(index);
  return found.reverse();
}
