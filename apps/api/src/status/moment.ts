/** The last moment that a date can be of, epoch ms. */
const LAST_MOMENT_MS = 8.64e15;

/** A member with a moment given in epoch seconds, when there is one: agents set such attributes, to whatever they like. */
export function momentOf<K extends string>(member: K, seconds: string | undefined): Partial<Record<K, string>> {
  const ms = Number(seconds ?? '') * 1_000;
  if (!(ms > 0 && ms <= LAST_MOMENT_MS)) return {};
  const present: Partial<Record<K, string>> = {};
  present[member] = new Date(ms).toISOString();
  return present;
}
