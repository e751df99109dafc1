import { descendants } from '../document/cib-index.js';
import { childElements } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/**
 * What can be said of each part of a configuration (a child of a section) by itself. Trees never change, so that it is found out once for as long as the part lives: after an edit only what was edited is
 * looked through again.
 */
export function perPart<T>(find: (part: XmlElement) => T): (part: XmlElement) => T {
  const known = new WeakMap<XmlElement, T>();
  return (part) => {
    const before = known.get(part);
    if (before !== undefined) return before;
    const found = find(part);
    known.set(part, found);
    return found;
  };
}

/** The children of the sections, which hold all that a configuration says. */
export function* partsOf(configuration: XmlElement): Generator<XmlElement, void, undefined> {
  for (const section of childElements(configuration)) yield* childElements(section);
}

/** The ids in a part. */
export const idsInPart = perPart((part) => idsIn(part));

/** The ids in an element and all that is in it. */
export function idsIn(root: XmlElement): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { attributes } of descendants(root)) if (attributes['id'] !== undefined) ids.add(attributes['id']);
  return ids;
}
