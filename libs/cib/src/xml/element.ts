/**
 * The XML tree of a CIB: plain, immutable data. The tree is the truth; every typed view of it is derived.
 *
 * Text nodes do not exist in a CIB (specification 01 §1.1) and are dropped on reading; comments survive.
 */
export interface XmlElement {
  readonly kind: 'element';
  readonly name: string;
  /** In document order. Names that would collide with object machinery (`__proto__`) are refused by the parser. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  /** Line of the start tag in the input, counted from 1; absent on elements that were made, not read. */
  readonly line?: number;
}

export interface XmlComment {
  readonly kind: 'comment';
  readonly text: string;
}

export type XmlNode = XmlElement | XmlComment;

/** Makes an element; for building trees in code and in tests. */
export function element(name: string, attributes: Readonly<Record<string, string>> = {}, children: readonly XmlNode[] = []): XmlElement {
  return { kind: 'element', name, attributes, children };
}

/** The element children, in document order. */
export function childElements(parent: XmlElement): XmlElement[] {
  return parent.children.filter((child): child is XmlElement => child.kind === 'element');
}

/** The element children of one name, in document order. */
export function childrenNamed(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.filter((child): child is XmlElement => child.kind === 'element' && child.name === name);
}

/** The first element child of that name. */
export function firstChildNamed(parent: XmlElement, name: string): XmlElement | undefined {
  return parent.children.find((child): child is XmlElement => child.kind === 'element' && child.name === name);
}

/** Whether there are more nodes than so many below an element, at whatever depth; looks no further than that. */
export function holdsMoreThan(root: XmlElement, limit: number): boolean {
  const pending: XmlElement[] = [root];
  let count = 0;
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    count += element.children.length;
    if (count > limit) return true;
    for (const child of element.children) if (child.kind === 'element') pending.push(child);
  }
  return false;
}
