/** Places of one array of the tree. */
const WIDTH = 32;
const BITS = 5;

/**
 * A list that only grows. Each version stays as it is: appending copies the way to the new item, 32 places at most on each of `log32(length)` levels, and shares
 * the rest; so it costs the same whether or not somebody goes on from an older version. Plain data: it goes through JSON and between threads as it is.
 */
export interface PersistentList<T extends object> {
  readonly length: number;
  /** A tree that is as high as the length needs (`heightOf`): arrays of arrays, the lowest of which hold the items. */
  readonly tree: Tree<T>;
}

type Tree<T> = readonly (T | Tree<T>)[];

const EMPTY: PersistentList<never> = { length: 0, tree: [] };

export function emptyList<T extends object>(): PersistentList<T> {
  return EMPTY;
}

/** How many levels of arrays stand above those that hold the items. */
function heightOf(length: number): number {
  let height = 0;
  for (let most = WIDTH; most < length; most *= WIDTH) height++;
  return height;
}

export function appended<T extends object>({ length, tree }: PersistentList<T>, item: T): PersistentList<T> {
  const height = heightOf(length);
  const isFull = length === WIDTH ** (height + 1);
  if (isFull) return { length: length + 1, tree: [tree, put([], height, length, item)] };
  return { length: length + 1, tree: put(tree, height, length, item) };
}

function put<T extends object>(tree: Tree<T>, height: number, position: number, item: T): Tree<T> {
  if (height === 0) return tree.concat([item]);
  const place = (position >>> (height * BITS)) % WIDTH;
  if (place === tree.length) return tree.concat([put([], height - 1, position, item)]);
  return tree.with(place, put(tree[place] as Tree<T>, height - 1, position, item));
}

/** The item at a position, from 0; undefined past the end. */
export function itemAt<T extends object>({ length, tree }: PersistentList<T>, position: number): T | undefined {
  if (position < 0 || position >= length) return undefined;
  let level = tree;
  for (let height = heightOf(length); height > 0; height--) level = level[(position >>> (height * BITS)) % WIDTH] as Tree<T>;
  return level[position % WIDTH] as T;
}

/** The items from a position on, in order. */
export function itemsFrom<T extends object>(list: PersistentList<T>, position: number): readonly T[] {
  const items: T[] = [];
  for (let at = Math.max(0, position); at < list.length; at++) {
    const item = itemAt(list, at);
    if (item !== undefined) items.push(item);
  }
  return items;
}
