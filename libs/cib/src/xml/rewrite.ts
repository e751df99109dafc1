import type { XmlElement, XmlNode } from './element.js';

/** What becomes of an element: another one, several in its place, or (an empty list) nothing. */
export type Rewritten = XmlElement | readonly XmlNode[];

/**
 * Rebuilds a tree from the leaves up: `visit` sees each element with its children already rewritten, and the names of its ancestors from the root on.
 * Whatever it answers unchanged is shared with the given tree.
 */
export function rewriteChildren(
  parent: XmlElement,
  visit: (element: XmlElement, ancestors: readonly string[]) => Rewritten,
  ancestors: readonly string[] = [],
): XmlElement {
  const below = [...ancestors, parent.name];
  const children: XmlNode[] = [];
  let changed = false;
  for (const child of parent.children) {
    if (child.kind === 'comment') {
      children.push(child);
      continue;
    }
    const result = visit(rewriteChildren(child, visit, below), below);
    if (result === child) children.push(child);
    else {
      changed = true;
      if ('kind' in result) children.push(result);
      else for (const node of result) children.push(node);
    }
  }
  return changed ? { ...parent, children } : parent;
}

/** The same element with attributes set (text) or removed (undefined); new ones come last. The element itself when nothing changes. */
export function withAttributes(element: XmlElement, changes: Readonly<Record<string, string | undefined>>): XmlElement {
  if (Object.entries(changes).every(([name, value]) => element.attributes[name] === value)) return element;
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...element.attributes, ...changes })) {
    if (value !== undefined) attributes[name] = value;
  }
  return { ...element, attributes };
}

/** The same element with an attribute renamed, at its old place. */
export function withRenamedAttribute(element: XmlElement, from: string, to: string): XmlElement {
  if (element.attributes[from] === undefined) return element;
  const attributes = Object.fromEntries(Object.entries(element.attributes).map(([name, value]) => [name === from ? to : name, value]));
  return { ...element, attributes };
}

/** The same element with only the children that pass. The element itself when all do. */
export function withoutChildren(element: XmlElement, drop: (child: XmlElement) => boolean): XmlElement {
  const children = element.children.filter((child) => child.kind === 'comment' || !drop(child));
  return children.length === element.children.length ? element : { ...element, children };
}
