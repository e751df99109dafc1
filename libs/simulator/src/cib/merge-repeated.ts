import type { XmlElement, XmlNode } from '@systole/cib';

/**
 * What becomes of an element with repeated children (same name and id) when it is written back whole, as the reference does with a
 * `node_state`: changes are merged by name and id (specification 08 §9.5), so that every repetition is merged into the first of its kind,
 * and itself stays as it is. Histories with repeated entries occur; an element without any is returned as it is.
 */
export function mergeRepeated(element: XmlElement): XmlElement {
  const firsts = new Map<string, number>();
  let children: XmlNode[] | undefined;
  for (const [place, child] of element.children.entries()) {
    if (child.kind !== 'element') continue;
    const merged = mergeRepeated(child);
    const key = `${child.name}\u0000${child.attributes['id'] ?? ''}`;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, place);
    if (merged === child && first === undefined) continue;
    children ??= [...element.children];
    children[place] = merged;
    const target = first === undefined ? undefined : children[first];
    if (first !== undefined && target?.kind === 'element') children[first] = mergeInto(target, merged);
  }
  return children ? { ...element, children } : element;
}

/** The update's attributes and children prevail; what it doesn't mention stays. */
function mergeInto(target: XmlElement, update: XmlElement): XmlElement {
  const children = [...target.children];
  for (const child of update.children) {
    if (child.kind !== 'element') continue;
    const { name, attributes } = child;
    const place = children.findIndex(
      (other) => other.kind === 'element' && other.name === name && other.attributes['id'] === attributes['id'],
    );
    const existing = children[place];
    if (existing?.kind === 'element') children[place] = mergeInto(existing, child);
    else children.push(child);
  }
  return { ...target, attributes: { ...target.attributes, ...update.attributes }, children };
}
