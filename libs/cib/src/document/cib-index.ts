import { firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/**
 * Look-ups in a CIB document by element name and id, in document order: the first match wins (specification 01 §1.1, §4.3).
 *
 * Each child of the root (`configuration`, `status`) is indexed apart and on demand, and the index lives as long as that very
 * element: a document whose status changed and whose configuration did not costs nothing new.
 */
export class CibIndex {
  /** Answers of `firstNamed`, which the same few names are asked for all the time. */
  private readonly first = new Map<string, XmlElement | undefined>();

  constructor(readonly document: XmlElement) {}

  /** The first element of that name anywhere in the document. */
  firstNamed(name: string): XmlElement | undefined {
    if (this.document.name === name) return this.document;
    if (this.first.has(name)) return this.first.get(name);
    const found = this.inSubtrees((subtree) => subtree.firstNamed.get(name));
    this.first.set(name, found);
    return found;
  }

  /** The section of that name directly below `configuration`. */
  section(name: string): XmlElement | undefined {
    const configuration = firstChildNamed(this.document, 'configuration');
    return configuration && firstChildNamed(configuration, name);
  }

  /** The first element of that name that has that id, anywhere in the document. */
  byId(name: string, id: string): XmlElement | undefined {
    return this.inSubtrees((subtree) => subtree.idsOf(name).get(id));
  }

  /**
   * Follows `id-ref` to the element of the same name with that id; an element without `id-ref` is itself. Undefined when nothing has the id, or the
   * references run in a circle.
   */
  resolve(element: XmlElement): XmlElement | undefined {
    let current = element;
    for (let hops = 0; hops < MAX_REFERENCE_HOPS; hops += 1) {
      const reference = current.attributes['id-ref'];
      if (reference === undefined) return current;
      const target = this.byId(element.name, reference);
      if (target === undefined) return undefined;
      current = target;
    }
    return undefined;
  }

  private inSubtrees(find: (subtree: SubtreeIndex) => XmlElement | undefined): XmlElement | undefined {
    for (const child of this.document.children) {
      const found = child.kind === 'element' ? find(subtreeIndexOf(child)) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** References to references are not written by hand; more than this many are a circle. */
const MAX_REFERENCE_HOPS = 16;

class SubtreeIndex {
  private names: ReadonlyMap<string, XmlElement> | undefined;
  private readonly ids = new Map<string, ReadonlyMap<string, XmlElement>>();

  constructor(private readonly root: XmlElement) {}

  get firstNamed(): ReadonlyMap<string, XmlElement> {
    if (this.names !== undefined) return this.names;
    const names = new Map([[this.root.name, this.root]]);
    for (const child of this.root.children) {
      if (child.kind !== 'element') continue;
      for (const [name, element] of firstNamedIn(child)) if (!names.has(name)) names.set(name, element);
    }
    this.names = names;
    return names;
  }

  idsOf(name: string): ReadonlyMap<string, XmlElement> {
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const ids = new Map<string, XmlElement>();
    walk(this.root, (element) => {
      const id = element.name === name ? element.attributes['id'] : undefined;
      if (id !== undefined && !ids.has(id)) ids.set(id, element);
    });
    this.ids.set(name, ids);
    return ids;
  }
}

/** The first element of each name in a subtree, kept as long as its root: of the many node states of a status mostly one changes. */
function firstNamedIn(root: XmlElement): ReadonlyMap<string, XmlElement> {
  const known = firstNames.get(root);
  if (known !== undefined) return known;
  const names = new Map<string, XmlElement>();
  walk(root, (element) => {
    if (!names.has(element.name)) names.set(element.name, element);
  });
  firstNames.set(root, names);
  return names;
}

const firstNames = new WeakMap<XmlElement, ReadonlyMap<string, XmlElement>>();

const subtreeIndexes = new WeakMap<XmlElement, SubtreeIndex>();

function subtreeIndexOf(element: XmlElement): SubtreeIndex {
  const known = subtreeIndexes.get(element);
  if (known !== undefined) return known;
  const made = new SubtreeIndex(element);
  subtreeIndexes.set(element, made);
  return made;
}

/** Visits what `descendants` gives, in the same order: several times as fast, for trees of many thousands of elements. */
function walk(root: XmlElement, visit: (element: XmlElement) => void): void {
  visit(root);
  for (const child of root.children) if (child.kind === 'element') walk(child, visit);
}

/** The element and everything below it, parents first, in document order. */
export function* descendants(root: XmlElement): Generator<XmlElement, void, undefined> {
  const pending: XmlElement[] = [root];
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    yield element;
    for (let index = element.children.length - 1; index >= 0; index -= 1) {
      const child = element.children[index];
      if (child?.kind === 'element') pending.push(child);
    }
  }
}
