import {
  childElements,
  childrenNamed,
  CibIndex,
  element,
  firstChildNamed,
  freeId,
  impliedNodes,
  orderedSets,
  readNodes,
  type ConfiguredNode,
  type ImpliedNode,
  type XmlElement,
  type XmlNode,
} from '@systole/cib';
import { memberOf, type ClusterState } from './cluster-state.js';
import { childById, childByName, putById, putOnly, removeById, withChildren } from './tree.js';

/** Reads and edits of the `configuration` section that the cluster itself needs; everything else is `@systole/cib`'s. */

export function configurationOf(cib: XmlElement): XmlElement {
  return firstChildNamed(cib, 'configuration') ?? element('configuration');
}

const membersOf = new WeakMap<XmlElement, readonly ConfiguredNode[]>();

/** The cluster nodes of the configuration, in document order; remote ones are none. */
export function configuredNodes(cib: XmlElement): readonly ConfiguredNode[] {
  const section = firstChildNamed(configurationOf(cib), 'nodes');
  if (section === undefined) return [];
  const known = membersOf.get(section);
  if (known !== undefined) return known;
  const members = readNodes(section).nodes.filter(({ kind }) => kind === 'member');
  membersOf.set(section, members);
  return members;
}

/** The remote and guest nodes that the resources of the configuration make, in document order. */
export function remoteNodes(cib: XmlElement): readonly ImpliedNode[] {
  return impliedNodes(firstChildNamed(configurationOf(cib), 'resources'));
}

/** The remote or guest node of that name. */
export function remoteNodeNamed(cib: XmlElement, name: string): ImpliedNode | undefined {
  return remoteNodes(cib).find((node) => node.name === name);
}

/** The id of a node: that of the configuration, else the one it gave when it joined, else its name. */
export function nodeIdOf(state: ClusterState, name: string): string {
  return configuredNodes(state.cib).find((node) => node.name === name)?.id ?? memberOf(state, name)?.id ?? name;
}

/** Applies `edit` to the `configuration` element. */
export function editConfiguration(cib: XmlElement, edit: (configuration: XmlElement) => XmlElement): XmlElement {
  return putOnly(cib, edit(configurationOf(cib)));
}

/** Adds `<node id uname>`, of type `remote` where that is said, unless a node of that name is there. */
export function ensureNode(cib: XmlElement, node: Pick<ConfiguredNode, 'id' | 'name'> & { readonly type?: 'remote' }): XmlElement {
  const section = firstChildNamed(configurationOf(cib), 'nodes') ?? element('nodes');
  if (childElements(section).some((child) => child.attributes['uname'] === node.name)) return cib;
  const type = node.type === undefined ? {} : { type: node.type };
  const added = putById(section, element('node', { id: node.id, uname: node.name, ...type }));
  return editConfiguration(cib, (configuration) => putOnly(configuration, added));
}

/**
 * Sets a permanent attribute of a node, or removes it (value undefined), so that this is what counts unless a set with a rule or a reference says
 * otherwise: written is where the attribute is decided among the node's own sets, else in the first of them, made as `nodes-<id>` when there is none;
 * removed it is from all of them. The CIB itself when there is no such node.
 *
 * @param uniqueIds what is made gets ids that nothing else in the configuration has (`takesAnothersId`)
 */
export function setPermanentAttribute(
  written: XmlElement,
  nodeName: string,
  name: string,
  value: string | undefined,
  uniqueIds = false,
): XmlElement {
  const cib = value === undefined ? written : withRemoteEntry(written, nodeName);
  const section = firstChildNamed(configurationOf(cib), 'nodes');
  const node = nodeNamed(section, nodeName);
  const id = node?.attributes['id'];
  if (section === undefined || node === undefined || id === undefined) return cib;
  const sets = ownSets(cib, node);
  const holders = sets.filter((set) => pairNamed(set, name) !== undefined);
  const isTaken = uniqueIds ? (candidate: string): boolean => isIdInUse(cib, candidate) : undefined;
  const made = element('instance_attributes', { id: setId(id, isTaken) });
  const targets = value === undefined ? holders : [holders[0] ?? firstOf(node, sets) ?? made];
  const changed = targets.reduce((edited, set) => {
    const position = edited.children.indexOf(set);
    const written = withIdsShared(setPair(set, `${set.attributes['id'] ?? ''}-`, name, value, isTaken), set, name, value);
    return position < 0 ? putById(edited, written) : withChildren(edited, edited.children.with(position, written));
  }, node);
  return changed === node ? cib : editConfiguration(cib, (configuration) => putOnly(configuration, putById(section, changed)));
}

/** A remote or guest node has an entry among the nodes from its first permanent attribute on, as with Pacemaker. */
function withRemoteEntry(cib: XmlElement, name: string): XmlElement {
  return remoteNodeNamed(cib, name) === undefined ? cib : ensureNode(cib, { id: name, name, type: 'remote' });
}

/** Whether setting an attribute would make a set or a pair with an id that something else in the configuration has: ids of several nodes and names may be put together to the same. */
export function takesAnothersId(cib: XmlElement, nodeName: string, name: string): boolean {
  const node = nodeNamed(firstChildNamed(configurationOf(cib), 'nodes'), nodeName);
  const id = node?.attributes['id'];
  if (node === undefined || id === undefined) return false;
  const sets = ownSets(cib, node);
  if (sets.some((set) => pairNamed(set, name) !== undefined)) return false;
  const set = firstOf(node, sets);
  const made = set ?? element('instance_attributes', { id: setId(id) });
  const pairId = freeId(xmlId(`${made.attributes['id'] ?? ''}-${name}`), isTakenIn(made));
  return (set === undefined && isIdInUse(cib, setId(id))) || isIdInUse(cib, pairId);
}

const idsWithin = new WeakMap<XmlElement, Set<string>>();
/** The same of sets of attributes, whose versions share it: what is not there is in none of them, what is may be in another one. */
const idsOfVersions = new WeakMap<XmlElement, Set<string>>();

/** Whether anything in the configuration has that id. Looked up in an index of each section, and of each set of a node, which lives as long as that very element. */
function isIdInUse(cib: XmlElement, id: string): boolean {
  return childElements(configurationOf(cib)).some((section) =>
    section.name === 'nodes' ? childElements(section).some((node) => isIdWithinNode(node, id)) : isIdWithin(section, id),
  );
}

function isIdWithinNode(node: XmlElement, id: string): boolean {
  return (
    node.attributes['id']?.trim() === id || childElements(node).some((set) => indexed(idsOfVersions, set).has(id) && isIdWithin(set, id))
  );
}

function isIdWithin(part: XmlElement, id: string): boolean {
  return indexed(idsWithin, part).has(id);
}

function indexed(index: WeakMap<XmlElement, Set<string>>, part: XmlElement): Set<string> {
  const ids = index.get(part) ?? new Set(idsIn(part));
  index.set(part, ids);
  return ids;
}

/** The next version of a set of attributes. */
function withIdsShared(written: XmlElement, before: XmlElement, name: string, value: string | undefined): XmlElement {
  const ids = idsOfVersions.get(before);
  const id = value === undefined ? undefined : pairNamed(written, name)?.attributes['id'];
  // Not those that have come to hold mostly what is no more.
  if (written === before || ids === undefined || ids.size > 2 * written.children.length + 64) return written;
  if (id !== undefined) ids.add(id.trim());
  idsOfVersions.set(written, ids);
  return written;
}

function* idsIn(part: XmlElement): Generator<string> {
  const id = part.attributes['id'];
  if (id !== undefined) yield id.trim();
  for (const child of childElements(part)) yield* idsIn(child);
}

function nodeNamed(section: XmlElement | undefined, name: string): XmlElement | undefined {
  return section && childrenNamed(section, 'node').find(({ attributes }) => attributes['uname'] === name);
}

/** The sets that hold what is written in them by themselves, whenever they are read; in the order in which they take effect. */
function ownSets(cib: XmlElement, node: XmlElement): readonly XmlElement[] {
  const own = new Set<XmlNode>(node.children);
  return orderedSets(node, 'instance_attributes', { index: new CibIndex(cib) }).filter(
    (set) => own.has(set) && firstChildNamed(set, 'rule') === undefined,
  );
}

function firstOf(node: XmlElement, sets: readonly XmlElement[]): XmlElement | undefined {
  return childElements(node).find((child) => sets.includes(child));
}

/** The first pair of a set with that name. */
export function pairNamed(set: XmlElement, name: string): XmlElement | undefined {
  return childByName(set, 'nvpair', name);
}

/** How many pairs there are, and the characters of their names and values. */
export interface PairsSize {
  readonly count: number;
  readonly chars: number;
}

const sizes = new WeakMap<XmlElement, PairsSize>();

/** The size of the pairs of a set; of its next versions it is reckoned from what {@link setPair} changes. */
function pairsSizeOf(set: XmlElement): PairsSize {
  const known = sizes.get(set);
  if (known !== undefined) return known;
  const pairs = childrenNamed(set, 'nvpair');
  const size = { count: pairs.length, chars: pairs.reduce((sum, pair) => sum + charsOf(pair), 0) };
  sizes.set(set, size);
  return size;
}

function charsOf({ attributes: { name = '', value = '' } }: XmlElement): number {
  return name.length + value.length;
}

/** The next version of a set, of which one pair is written, removed, or put in the place of another one. */
function withSizeReckoned(next: XmlElement, before: XmlElement, name: string, pair?: XmlElement): XmlElement {
  if (!sizes.has(before)) return next;
  const others = pairsSizeWithout(before, name);
  sizes.set(next, pair === undefined ? others : plus(others, { count: 1, chars: charsOf(pair) }));
  return next;
}

const NO_PAIRS: PairsSize = { count: 0, chars: 0 };

/** The size of all pairs in a node's own sets but those of one name, that of each set counted once. */
export function permanentSizeWithout(cib: XmlElement, nodeName: string, name: string): PairsSize {
  const node = nodeNamed(firstChildNamed(configurationOf(cib), 'nodes'), nodeName);
  return (node === undefined ? [] : ownSets(cib, node)).map((set) => pairsSizeWithout(set, name)).reduce(plus, NO_PAIRS);
}

/** The size of the pairs of a set but the one of that name. */
export function pairsSizeWithout(set: XmlElement, name: string): PairsSize {
  const { count, chars } = pairsSizeOf(set);
  const pair = pairNamed(set, name);
  return pair === undefined ? { count, chars } : { count: count - 1, chars: chars - charsOf(pair) };
}

function plus(a: PairsSize, b: PairsSize): PairsSize {
  return { count: a.count + b.count, chars: a.chars + b.chars };
}

/** What {@link setPermanentAttribute} wrote, or would write anew. */
export function writtenPermanentAttribute(cib: XmlElement, nodeName: string, name: string): string | undefined {
  const node = nodeNamed(firstChildNamed(configurationOf(cib), 'nodes'), nodeName);
  const sets = node === undefined ? [] : ownSets(cib, node);
  return sets.flatMap((set) => pairNamed(set, name) ?? [])[0]?.attributes['value'];
}

/** All that is written in a node's own sets, in the order in which they take effect. */
export function writtenPermanentAttributes(
  cib: XmlElement,
  nodeName: string,
): readonly { readonly name: string; readonly value: string }[] {
  const node = nodeNamed(firstChildNamed(configurationOf(cib), 'nodes'), nodeName);
  const pairs = node === undefined ? [] : ownSets(cib, node).flatMap((set) => childrenNamed(set, 'nvpair'));
  return pairs.map(({ attributes: { name = '', value = '' } }) => ({ name, value }));
}

/**
 * Sets or removes one `nvpair` of a set, by its name; a new one gets id `<idPrefix><name>` made a valid XML id that is not taken.
 *
 * @param isTaken by default: by another pair of the set
 */
export function setPair(
  set: XmlElement,
  idPrefix: string,
  name: string,
  value: string | undefined,
  isTaken: (id: string) => boolean = isTakenIn(set),
): XmlElement {
  const existing = pairNamed(set, name);
  const id = existing?.attributes['id'] ?? freeId(xmlId(`${idPrefix}${name}`), isTaken);
  if (value === undefined) return existing === undefined ? set : withSizeReckoned(removeById(set, 'nvpair', id), set, name);
  if (existing?.attributes['value'] === value) return set;
  const pair = element('nvpair', { ...existing?.attributes, id, name, value });
  return withSizeReckoned(putById(set, pair), set, name, pair);
}

function setId(nodeId: string, isTaken?: (id: string) => boolean): string {
  const id = xmlId(`nodes-${nodeId}`);
  return isTaken === undefined ? id : freeId(id, isTaken);
}

/** Names that differ only in what no id may hold would take one another's place. */
function isTakenIn(set: XmlElement): (id: string) => boolean {
  return (id) => childById(set, 'nvpair', id) !== undefined;
}

/** Text made a valid XML id: `#` and other foreign characters become `.`, a leading digit `_` (specification 08 §9.4). */
export function xmlId(text: string): string {
  return text.replace(/[^A-Za-z0-9_.-]/g, '.').replace(/^[0-9]/, '_');
}
