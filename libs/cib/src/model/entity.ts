import type { XmlElement } from '../xml/element.js';

/**
 * What every typed view of an element has in common. Views are read tolerantly: a value that is missing or invalid is undefined (or the stated
 * default), and `source` has it as written. References (`id-ref`) are not followed.
 */
export interface Entity {
  /** Empty when the element has none. */
  readonly id: string;
  readonly source: XmlElement;
}

/** The common part of an element's view. */
export function entityOf(source: XmlElement): Entity {
  return { id: source.attributes['id'] ?? '', source };
}

/** Reads views lazily, once per element. */
export function memoised<T>(read: (element: XmlElement) => T): (element: XmlElement) => T {
  const known = new WeakMap<XmlElement, { readonly value: T }>();
  return (element) => {
    const found = known.get(element);
    if (found !== undefined) return found.value;
    const value = read(element);
    known.set(element, { value });
    return value;
  };
}
