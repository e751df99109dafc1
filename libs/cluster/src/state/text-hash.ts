/** How many bits a hash has: a number that stays a small one in memory. */
export const HASH_BITS = 30;

/** FNV-1a over UTF-16 code units, folded to `HASH_BITS`. Stands in snapshots: another one asks for another schema number of the state. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> HASH_BITS)) & (2 ** HASH_BITS - 1);
}
