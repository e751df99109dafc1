/** Slots and moduli of the reference's hash tables (specification 04 §12.6). A table holds up to 15/16 of its slots. */
const sizes = [
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
] as const;

function hash(key: string): number {
  let h = 0;
  for (const byte of new TextEncoder().encode(key)) h = (Math.imul(h, 31) + (byte > 127 ? byte - 256 : byte)) >>> 0;
  return h < 2 ? 2 : h;
}

/** Sorts items as a hash table keyed so would be walked: by ascending slot, taken one after another in the order given. */
export function slotOrder<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const [slots, modulus] = sizes.find(([size]) => items.length + Math.floor(items.length / 16) < size) ?? [
    items.length * 2,
    items.length * 2 - 1,
  ];
  const table: (T | undefined)[] = new Array<T | undefined>(slots).fill(undefined);
  for (const item of items) {
    let slot = (Math.imul(hash(keyOf(item)), 11) >>> 0) % modulus;
    for (let step = 1; table[slot] !== undefined; step++) slot = (slot + step) % slots;
    table[slot] = item;
  }
  return table.filter((item): item is T => item !== undefined);
}
