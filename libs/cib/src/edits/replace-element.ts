import type { XmlElement } from '../xml/element.js';

/**
 * The tree with another element (undefined: none) in the place of that very element, found by identity. Everything that is not above it is shared; the tree
 * itself when it does not hold the element.
 */
export function replaceElement(root: XmlElement, target: XmlElement, replacement: XmlElement | undefined): XmlElement {
  if (target === replacement) return root;
  for (const [position, child] of root.children.entries()) {
    if (child.kind !== 'element') continue;
    if (child === target) {
      return {
        ...root,
        children: replacement === undefined ? root.children.toSpliced(position, 1) : root.children.with(position, replacement),
      };
    }
    const next = replaceElement(child, target, replacement);
    if (next !== child) return { ...root, children: root.children.with(position, next) };
  }
  return root;
}
