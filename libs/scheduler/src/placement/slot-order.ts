const SMALLEST_TABLE = 8;

/** Largest prime below each table size (specification 04 §12.6). */
const moduli: ReadonlyMap<number, number> = new Map([
  [8, 7],
  [16, 13],
  [32, 31],
  [64, 61],
  [128, 127],
  [256, 251],
  [512, 509],
  [1024, 1021],
  [2048, 2039],
  [4096, 4093],
  [8192, 8191],
  [16384, 16381],
]);

interface Entry<T> {
  readonly item: T;
  readonly hash: number;
}

/**
 * Sorts items as a hash table keyed so would be walked: by ascending slot, taken one after another in the order given (specification 04 §12.6).
 */
export function slotOrder<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const table: (Entry<T> | undefined)[] = new Array<undefined>(SMALLEST_TABLE).fill(undefined);
  for (const [place, item] of items.entries()) {
    const entry = { item, hash: hashOf(keyOf(item)) };
    table[freeSlot(table.length, entry, (slot) => table[slot] !== undefined)] = entry;
    const count = place + 1;
    // Full at 15/16 of the slots.
    if (count + Math.floor(count / 16) >= table.length) grow(table, sizeFor(count));
  }
  return table.flatMap((entry) => (entry ? [entry.item] : []));
}

function sizeFor(count: number): number {
  let size = SMALLEST_TABLE;
  while (size * 3 < count * 4) size *= 2;
  return size;
}

/** Moves the entries to their new slots within the table: one that is in the way is moved next. */
function grow<T>(table: (Entry<T> | undefined)[], size: number): void {
  const before = table.length;
  for (let slot = before; slot < size; slot++) table.push(undefined);
  const settled = new Uint8Array(size);
  for (let slot = 0; slot < before; slot++) {
    if (settled[slot] === 1) continue;
    let moving = table[slot];
    table[slot] = undefined;
    while (moving) {
      const target = freeSlot(size, moving, (other) => settled[other] === 1);
      settled[target] = 1;
      const displaced: Entry<T> | undefined = table[target];
      table[target] = moving;
      moving = displaced;
    }
  }
}

/** The first slot that isn't taken, from the one that the key decides on, in growing steps. */
function freeSlot(size: number, { hash }: Entry<unknown>, isTaken: (slot: number) => boolean): number {
  let slot = (Math.imul(hash, 11) >>> 0) % (moduli.get(size) ?? size - 1);
  for (let step = 1; isTaken(slot); step++) slot = (slot + step) % size;
  return slot;
}

function hashOf(key: string): number {
  let hash = 0;
  for (const byte of new TextEncoder().encode(key)) hash = (Math.imul(hash, 31) + (byte > 127 ? byte - 256 : byte)) >>> 0;
  return hash < 2 ? 2 : hash;
}
