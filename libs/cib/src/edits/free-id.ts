import { descendants } from '../document/cib-index.js';
import { firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/**
 * Gives ids that nothing in the configuration has: the wished one made a valid XML id (foreign characters become `.`, a leading digit gets `_` before it), with `-2`, `-3`, … where
 * it is taken. Each id that it has given is taken from then on.
 */
export function freeIds(cib: XmlElement): (wished: string) => string {
  const configuration = firstChildNamed(cib, 'configuration');
  const taken = new Set<string>();
  for (const { attributes } of configuration === undefined ? [] : descendants(configuration)) {
    if (attributes['id'] !== undefined) taken.add(attributes['id'].trim());
  }
  // Where thousands wish for one id, each search goes on where the last one ended.
  const numbers = new Map<string, number>();
  return (wished) => {
    const valid = wished.replace(/[^A-Za-z0-9_.-]/g, '.').replace(/^(?=[0-9.-])/, '_');
    let free = valid;
    let number = numbers.get(valid) ?? 2;
    for (; taken.has(free); number += 1) free = `${valid}-${String(number)}`;
    numbers.set(valid, number);
    taken.add(free);
    return free;
  };
}

/** An id, with `-2`, `-3`, … behind it where it is taken. */
export function freeId(wished: string, isTaken: (id: string) => boolean): string {
  let free = wished;
  for (let number = 2; isTaken(free); number += 1) free = `${wished}-${String(number)}`;
  return free;
}
