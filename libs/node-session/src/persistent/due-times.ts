import { entriesFrom, first, inserted, removed, type Order, type SortedTree } from './sorted-tree.js';

interface DueTime {
  readonly at: number;
  /** Tells items with the same time apart, and says which comes first. */
  readonly rank: number;
}

/** Items by the time at which they are due, ms. */
export type DueTimes<T> = SortedTree<DueTime, T>;

const earlierFirst: Order<DueTime> = (one, other) => one.at - other.at || one.rank - other.rank;

export function withDue<T>(times: DueTimes<T>, at: number, rank: number, item: T): DueTimes<T> {
  return inserted(times, { at, rank }, item, earlierFirst);
}

export function withoutDue<T>(times: DueTimes<T>, at: number, rank: number): DueTimes<T> {
  return removed(times, { at, rank }, earlierFirst);
}

/** Takes out what is due at `now`, in the order of the ranks. */
export function takenDue<T>(times: DueTimes<T>, now: number): { readonly due: readonly T[]; readonly rest: DueTimes<T> } {
  const taken: { readonly rank: number; readonly item: T }[] = [];
  let rest = times;
  for (let next = first(rest); next !== undefined && next.key.at <= now; next = first(rest)) {
    taken.push({ rank: next.key.rank, item: next.value });
    rest = removed(rest, next.key, earlierFirst);
  }
  return { due: taken.sort((one, other) => one.rank - other.rank).map(({ item }) => item), rest };
}

/** The first time after `now` at which something is due. */
export function nextDue(times: DueTimes<unknown>, now: number): number | undefined {
  const next = entriesFrom(times, ({ at }) => at > now).next();
  return next.done === true ? undefined : next.value.key.at;
}
