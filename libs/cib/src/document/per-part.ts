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
