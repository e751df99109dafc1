import type { XmlElement, XmlNode } from './element.js';

/** Whether two trees say the same: names, attributes and children in order, comments included; lines do not count. */
export function sameXml(a: XmlNode, b: XmlNode): boolean {
  if (a === b) return true;
  if (a.kind === 'comment' || b.kind === 'comment') return a.kind === 'comment' && b.kind === 'comment' && a.text === b.text;
  if (a.children.length !== b.children.length || !sameTag(a, b)) return false;
  return a.children.every((child, index) => {
    const other = b.children[index];
    return other !== undefined && sameXml(child, other);
  });
}

/** Whether two elements have the same name and the same attributes in the same order; children do not count. */
export function sameTag(a: XmlElement, b: XmlElement): boolean {
  if (a === b || (a.name === b.name && a.attributes === b.attributes)) return true;
  if (a.name !== b.name) return false;
  const names = Object.keys(a.attributes);
  const others = Object.keys(b.attributes);
  return (
    names.length === others.length && names.every((name, index) => name === others[index] && a.attributes[name] === b.attributes[name])
  );
}
