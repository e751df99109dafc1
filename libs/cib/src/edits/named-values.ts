import { CibIndex } from '../document/cib-index.js';
import { orderedSets } from '../nvpairs/nvpair-sets.js';
import type { NvpairSetName } from '../nvpairs/nvpair-sets.js';
import { childrenNamed, element, firstChildNamed } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { freeIds } from './free-id.js';

/** A value that an element is to have. */
export interface NamedValue {
  readonly set: NvpairSetName;
  readonly name: string;
  /** Undefined: none; it is taken out of every set of the element's own. */
  readonly value: string | undefined;
  /** The set that it comes into where it does not stand yet; made when it is not there. */
  readonly setId?: string;
  /** Id of the set that goes before all others (`fillFromSets`). */
  readonly firstId?: string;
}

/**
 * The element with one value set or cleared in its own sets: those that stand in it, hold what is written in them by themselves, and have no rule. Set is where the value is decided
 * among these; else it comes into the first of them, as `pcs` has it; where there is none, one is made. Ids are those that `pcs` and `crm_resource` give: `<element>-<kind of set>`, and
 * `<set>-<name>` for the pair. An empty set stays, as with them.
 *
 * Whether it then is in force is another question: a set with a rule or a reference may say otherwise, and so may what stands around.
 *
 * @param cib the document that holds the element: references lead into it, and new ids are free in it
 * @returns the element itself when nothing changes
 */
export function withNamedValue(cib: XmlElement, of: XmlElement, { set: kind, name, value, setId, firstId }: NamedValue): XmlElement {
  const sets = ownSets(cib, of, kind, firstId);
  const holders = sets.filter((set) => pairsNamed(set, name).length > 0);
  if (value === undefined) {
    if (holders.length === 0) return of;
    return mapChildren(of, (child) => (holders.includes(child) ? without(child, name) : child));
  }
  const [holder] = holders;
  if (holder !== undefined) {
    const [first] = pairsNamed(holder, name);
    if (first?.attributes['value'] === value) return of;
    const written = mapChildren(holder, (pair) => (pair === first ? { ...pair, attributes: { ...pair.attributes, value } } : pair));
    return mapChildren(of, (child) => (child === holder ? written : child));
  }
  const freeId = freeIds(cib);
  const target = childrenNamed(of, kind).find((child) => sets.includes(child) && (setId === undefined || child.attributes['id'] === setId));
  const set = target ?? element(kind, { id: freeId(setId ?? `${of.attributes['id'] ?? ''}-${kind}`) });
  const pair = element('nvpair', { id: freeId(`${set.attributes['id'] ?? ''}-${name}`), name, value });
  const written = { ...set, children: [...set.children, pair] };
  return target === undefined
    ? { ...of, children: [...of.children, written] }
    : mapChildren(of, (child) => (child === target ? written : child));
}

/** In the order in which they take effect. */
function ownSets(cib: XmlElement, of: XmlElement, kind: NvpairSetName, firstId: string | undefined): readonly XmlElement[] {
  const children = new Set<XmlNode>(of.children);
  return orderedSets(of, kind, { index: new CibIndex(cib) }, firstId === undefined ? {} : { firstId }).filter(
    (set) => children.has(set) && firstChildNamed(set, 'rule') === undefined,
  );
}

function pairsNamed(set: XmlElement, name: string): readonly XmlElement[] {
  return childrenNamed(set, 'nvpair').filter(({ attributes }) => attributes['name'] === name);
}

function without(set: XmlElement, name: string): XmlElement {
  const pairs: readonly XmlNode[] = pairsNamed(set, name);
  return { ...set, children: set.children.filter((child) => !pairs.includes(child)) };
}

function mapChildren(parent: XmlElement, change: (child: XmlElement) => XmlElement): XmlElement {
  return { ...parent, children: parent.children.map((child) => (child.kind === 'element' ? change(child) : child)) };
}
