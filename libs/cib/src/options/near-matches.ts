import type { ClusterOptionKind } from './option-type.js';

/** No word of a choice is longer. */
const LONGEST_WORD = 40;
/** So many are worth naming. */
const MOST = 3;

/**
 * The names that somebody may have meant, the nearest first: those that contain what was given (or the other way round), and those that are a few
 * letters from it.
 */
export function nearMatches(given: string, names: Iterable<string>): readonly string[] {
  const wanted = given.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names)) {
    const candidate = name.toLowerCase();
    const distance = editDistance(wanted, candidate, allowed);
    const contains = wanted.length > 2 && (candidate.includes(wanted) || wanted.includes(candidate));
    if (distance <= allowed || contains) found.push({ name, distance });
  }
  found.sort((a, b) => a.distance - b.distance);
  return found.slice(0, MOST).map(({ name }) => name);
}

/** Below this length one letter makes another name. */
const SHORT = 6;

/** The name that somebody most likely mistyped; undefined for what may well be a name of its own. Cheap enough for every name of a large configuration. */
export function mistypedName(given: string, names: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase();
  const allowed = given.length < SHORT ? 1 : 2;
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase(), allowed);
    if (distance <= allowed && distance < (nearest?.distance ?? Infinity)) nearest = { name, distance };
  }
  return nearest?.name;
}

/** The word of a choice that somebody most likely meant; undefined for another kind of text. */
export function meantWord(type: ClusterOptionKind, text: string): string | undefined {
  if (type.kind === 'or-default') return meantWord(type.of, text);
  const words = type.kind === 'select' ? type.allowed : type.kind === 'boolean' ? ['true', 'false'] : [];
  return text.length > LONGEST_WORD ? undefined : nearMatches(text, words)[0];
}

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment); more than `most` when lengths alone say so. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1));
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;
