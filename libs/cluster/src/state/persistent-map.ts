import { textHash } from './text-hash.js';

/** Slots of one array of the trie. */
const WIDTH = 32;
const BITS = 5;

/**
 * Values by name. Each version stays as it is: setting a value copies the arrays on the way to it, one for each five bits of the name's hash that it takes to tell
 * it from others, and shares the rest. Plain data: it goes through JSON and between threads as it is.
 */
export interface PersistentMap<V> {
  readonly trie: Trie<V>;
}

type Trie<V> = readonly Slot<V>[];

/** Nothing (JSON has no holes), the entries of one hash (all of its bits), or those whose hashes agree so far. */
type Slot<V> = null | { readonly leaf: readonly (readonly [name: string, value: V])[] } | { readonly trie: Trie<V> };

const EMPTY: Trie<never> = Array.from({ length: WIDTH }, () => null);

export function emptyMap<V>(): PersistentMap<V> {
  return { trie: EMPTY };
}

function placeOf(hash: number, depth: number): number {
  return (hash >>> (depth * BITS)) % WIDTH;
}

export function valueOf<V>({ trie }: PersistentMap<V>, name: string): V | undefined {
  const hash = textHash(name);
  let slot = trie[placeOf(hash, 0)];
  for (let depth = 1; slot !== undefined && slot !== null && 'trie' in slot; depth++) slot = slot.trie[placeOf(hash, depth)];
  return slot?.leaf.find(([known]) => known === name)?.[1];
}

export function withValue<V>({ trie }: PersistentMap<V>, name: string, value: V): PersistentMap<V> {
  return { trie: put(trie, 0, textHash(name), name, value) };
}

function put<V>(trie: Trie<V>, depth: number, hash: number, name: string, value: V): Trie<V> {
  const place = placeOf(hash, depth);
  const slot = trie[place] ?? null;
  return trie.with(place, slot === null ? { leaf: [[name, value]] } : putInto(slot, depth, hash, name, value));
}

function putInto<V>(slot: NonNullable<Slot<V>>, depth: number, hash: number, name: string, value: V): Slot<V> {
  if ('trie' in slot) return { trie: put(slot.trie, depth + 1, hash, name, value) };
  const [[other] = ['']] = slot.leaf;
  const otherHash = textHash(other);
  if (otherHash === hash) return { leaf: [...slot.leaf.filter(([known]) => known !== name), [name, value]] };
  const below: Trie<V> = (EMPTY as Trie<V>).with(placeOf(otherHash, depth + 1), slot);
  return { trie: put(below, depth + 1, hash, name, value) };
}
