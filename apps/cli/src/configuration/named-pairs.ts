import { UsageError } from '../exit-code.js';
import type { Fields } from './requests.js';

/** Values by name; null takes one away. */
export type Values = ReadonlyMap<string, string | null>;

/** Reads `name=value` words; `name=` takes a value away. @throws {UsageError} */
export function valuesOf(words: readonly string[]): Values {
  return new Map(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at <= 0) throw new UsageError(`"${word}" is no name=value`);
      const value = word.slice(at + 1);
      return [word.slice(0, at), value === '' ? null : value] as const;
    }),
  );
}

/** As {@link valuesOf}, where there is nothing yet that could be taken away. */
export function newValues(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries([...valuesOf(words)].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
}

/** Names to be taken away. */
export function withoutValues(names: readonly string[]): Values {
  return new Map(names.map((name) => [name, null]));
}

/**
 * The merge patch that changes some values. One plain set is a map, whose values are patched; of several the one that has a name already is changed, else the first that always holds.
 *
 * @param sets as they are read: a map, a list of sets, or nothing
 * @returns null where nothing is left of a set; undefined where nothing changes
 * @throws {UsageError} when no set is there that always holds, and a value is to be set
 */
export function valuesPatch(sets: unknown, values: Values): unknown {
  if (!Array.isArray(sets)) return mapPatch((sets ?? {}) as Fields, values);
  const list = sets as readonly Fields[];
  const changed = list.map((set) => ({ ...set, nvpair: [...pairsIn(set)] }));
  for (const [name, value] of values) {
    const holders = changed.filter((set) => set.nvpair.some((pair) => pair['name'] === name));
    const target = holders.find(alwaysHolds) ?? (value === null ? holders[0] : undefined) ?? changed.find(alwaysHolds);
    if (target === undefined)
      throw new UsageError(`${name}: every set of values has a rule or is another one's: use "systole config edit"`);
    const at = target.nvpair.findIndex((pair) => pair['name'] === name);
    if (value === null) {
      if (at >= 0) target.nvpair.splice(at, 1);
    } else if (at < 0) target.nvpair.push({ name, value });
    else target.nvpair[at] = { ...target.nvpair[at], value };
  }
  return changed;
}

function mapPatch(map: Fields, values: Values): Fields | null | undefined {
  const changes = [...values].filter(([name, value]) => value !== null || Object.hasOwn(map, name));
  if (changes.length === 0) return undefined;
  const isLeft = changes.some(([, value]) => value !== null) || Object.keys(map).some((name) => !values.has(name));
  return isLeft ? Object.fromEntries(changes) : null;
}

function pairsIn(set: Fields): readonly Fields[] {
  return Array.isArray(set['nvpair']) ? (set['nvpair'] as readonly Fields[]) : [];
}

function alwaysHolds(set: Fields): boolean {
  return set['rule'] === undefined && set['id-ref'] === undefined;
}
