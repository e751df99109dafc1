import type { XmlElement, XmlNode } from '@systole/cib';

/**
 * Path copying on the XML tree: each function answers a new parent that shares every child it was not asked to change.
 *
 * Children are found by their element's name and their id, or their `name`, through indexes kept beside the tree. An index is only a hint: each hit is checked against
 * the element, so a state from another branch of history, or one read back from a snapshot, gives the same answer, only slower. Versions of one parent share it; what
 * is not in it is in none of them.
 */
const indexes = { id: new WeakMap<XmlElement, Map<string, number>>(), name: new WeakMap<XmlElement, Map<string, number>>() } as const;

/** By which attribute a child is found. */
type Sought = keyof typeof indexes;
const SOUGHT: readonly Sought[] = ['id', 'name'];

function key(name: string, value: string): string {
  return `${name} ${value}`;
}

/** Where there are no more children than that, looking through them is cheaper than an index, which also takes more memory than they do. */
const LOOKED_THROUGH = 16;
/** Children that were removed since the index was made have moved others forward: so far it is looked for them before the index is made anew. */
const MOVED = 64;

function buildIndex(parent: XmlElement, by: Sought): Map<string, number> {
  const index = new Map<string, number>();
  parent.children.forEach((child, position) => {
    if (child.kind !== 'element') return;
    const value = child.attributes[by];
    if (value !== undefined && !index.has(key(child.name, value))) index.set(key(child.name, value), position);
  });
  indexes[by].set(parent, index);
  return index;
}

/** Ids of instances (`web:0`) in an index, by the key of what they are instances of; made when it is first asked for. As much a hint as the index. */
const instances = new WeakMap<Map<string, number>, Map<string, string[]>>();

function noteInstance(known: Map<string, string[]>, name: string, id: string): void {
  const number = /:\d+$/.exec(id);
  if (number === null) return;
  const of = key(name, id.slice(0, number.index));
  const others = known.get(of);
  if (others === undefined) known.set(of, [id]);
  else if (!others.includes(id)) others.push(id);
}

function instancesIn(index: Map<string, number>): ReadonlyMap<string, readonly string[]> {
  const before = instances.get(index);
  if (before !== undefined) return before;
  const known = new Map<string, string[]>();
  for (const entry of index.keys()) {
    if (!entry.includes(':')) continue;
    const blank = entry.indexOf(' ');
    noteInstance(known, entry.slice(0, blank), entry.slice(blank + 1));
  }
  instances.set(index, known);
  return known;
}

/** Position of the child of that element name and id; -1 when there is none. */
export function positionOf(parent: XmlElement, name: string, id: string): number {
  return positionBy('id', parent, name, id);
}

function positionBy(by: Sought, parent: XmlElement, name: string, value: string): number {
  const isAt = (position: number): boolean => {
    const child = parent.children[position];
    return child?.kind === 'element' && child.name === name && child.attributes[by] === value;
  };
  if (parent.children.length <= LOOKED_THROUGH) return parent.children.findIndex((_, position) => isAt(position));
  const known = indexes[by].get(parent) ?? buildIndex(parent, by);
  const position = known.get(key(name, value));
  if (position === undefined) return -1;
  for (let back = 0; back <= MOVED; back++) if (isAt(position - back)) return position - back;
  return buildIndex(parent, by).get(key(name, value)) ?? -1;
}

/** The child of that name and id. */
export function childById(parent: XmlElement, name: string, id: string): XmlElement | undefined {
  const child = parent.children[positionOf(parent, name, id)];
  return child?.kind === 'element' ? child : undefined;
}

/** The first child of that element name with that `name`. */
export function childByName(parent: XmlElement, name: string, named: string): XmlElement | undefined {
  const child = parent.children[positionBy('name', parent, name, named)];
  return child?.kind === 'element' ? child : undefined;
}

/** Positions of the children of that name whose id is this one, or that of an instance of it (`<id>:<number>`). */
export function positionsOfAll(parent: XmlElement, name: string, id: string): readonly number[] {
  const numbered = instancesIn(indexes.id.get(parent) ?? buildIndex(parent, 'id')).get(key(name, id)) ?? [];
  return [id, ...numbered].map((one) => positionOf(parent, name, one)).filter((position) => position >= 0);
}

/** The same element with attributes set (a string) or removed (undefined). The element itself when nothing changes. */
export function withAttributes(of: XmlElement, changes: Readonly<Record<string, string | undefined>>): XmlElement {
  if (Object.entries(changes).every(([name, value]) => of.attributes[name] === value)) return of;
  const attributes = new Map(Object.entries(of.attributes));
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) attributes.delete(name);
    else attributes.set(name, value);
  }
  return { ...of, attributes: Object.fromEntries(attributes) };
}

/** The same element with other children. */
export function withChildren(of: XmlElement, children: readonly XmlNode[]): XmlElement {
  return { ...of, children };
}

/** Puts `child` in the place of the child with its name and id, or at the end. */
export function putById(parent: XmlElement, child: XmlElement): XmlElement {
  const id = child.attributes['id'] ?? '';
  const position = positionOf(parent, child.name, id);
  if (position >= 0 && parent.children[position] === child) return parent;
  // `concat` makes an array of just that length; to spread one of thousands and add to it takes more than twice the time and memory.
  const children = position >= 0 ? parent.children.with(position, child) : parent.children.concat([child]);
  const next = withChildren(parent, children);
  const index = indexes.id.get(parent);
  if (index !== undefined && position < 0) {
    index.set(key(child.name, id), children.length - 1);
    const known = instances.get(index);
    if (known !== undefined) noteInstance(known, child.name, id);
  }
  const named = child.attributes['name'];
  const names = indexes.name.get(parent);
  if (names !== undefined && named !== undefined && !names.has(key(child.name, named)))
    names.set(key(child.name, named), position < 0 ? children.length - 1 : position);
  shareIndexes(parent, next);
  return next;
}

/** Removes the child of that name and id. The parent itself when there is none. */
export function removeById(parent: XmlElement, name: string, id: string): XmlElement {
  const position = positionOf(parent, name, id);
  if (position < 0) return parent;
  const next = withChildren(parent, parent.children.toSpliced(position, 1));
  shareIndexes(parent, next);
  return next;
}

/** Not what has come to hold mostly what is no more. */
function shareIndexes(parent: XmlElement, next: XmlElement): void {
  for (const by of SOUGHT) {
    const index = indexes[by].get(parent);
    if (index !== undefined && index.size <= 2 * next.children.length + MOVED) indexes[by].set(next, index);
  }
}

/** Puts `child` in the place of the first child of its name, or at the end. For elements that occur once. */
export function putOnly(parent: XmlElement, child: XmlElement): XmlElement {
  const position = parent.children.findIndex((node) => node.kind === 'element' && node.name === child.name);
  if (position >= 0 && parent.children[position] === child) return parent;
  return withChildren(parent, position >= 0 ? parent.children.with(position, child) : [...parent.children, child]);
}

/** Removes the children that `test` picks. The parent itself when it picks none. */
export function removeWhere(parent: XmlElement, test: (child: XmlElement) => boolean): XmlElement {
  const kept = parent.children.filter((child) => child.kind !== 'element' || !test(child));
  return kept.length === parent.children.length ? parent : withChildren(parent, kept);
}
