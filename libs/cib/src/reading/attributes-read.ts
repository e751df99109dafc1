import { CibIndex, descendants } from '../document/cib-index.js';
import { element, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/** Name of the transient attribute by which a person says with which action a node is to be fenced (`off` or `reboot`), beside `terminate`. Systole's own. */
export const FENCING_ACTION = 'systole-fencing-action';

/** Names of node attributes that mean something in any configuration (specification 01 §4.8, 03 §1.5, §2.1 to §2.3, §5.2). */
const ALWAYS: ReadonlySet<string> = new Set([
  'standby',
  'maintenance',
  'terminate',
  FENCING_ACTION,
  'shutdown',
  'resource-discovery-enabled',
  'site-name',
]);

/**
 * How such names begin: all that are the cluster's own, as node health and unfencing (specification 04 §5.1, 03 §12.6), fail counts (03 §6.1), promotion
 * scores (05 §10.1).
 */
const ALWAYS_PREFIXES: readonly string[] = ['#', 'fail-count-', 'last-failure-', 'master-'];

/** What of a configuration names node attributes. */
interface NamedAttributes {
  readonly names: ReadonlySet<string>;
  /** Names written with `%0` to `%9` are known up to there. */
  readonly prefixes: readonly string[];
  /** What is written as attributes of nodes, or not in the configuration at all, is used for something else besides. */
  readonly borrowed: boolean;
}

const known = new WeakMap<XmlElement, NamedAttributes>();

/**
 * Whether the schedule may depend on the node attributes of a name, whatever their values, permanent or transient: the one definition of that. Kept for as
 * long as the `configuration` element of the document lives. A configuration that comes to read an attribute is a change by itself.
 */
export function readsNodeAttribute(cib: XmlElement, name: string): boolean {
  if (ALWAYS.has(name) || ALWAYS_PREFIXES.some((prefix) => name.startsWith(prefix))) return true;
  const configuration = firstChildNamed(cib, 'configuration');
  if (configuration === undefined) return false;
  const named = namedAttributesOf(configuration);
  return named.borrowed || named.names.has(name) || named.prefixes.some((prefix) => name.startsWith(prefix));
}

function namedAttributesOf(configuration: XmlElement): NamedAttributes {
  const read = known.get(configuration);
  if (read !== undefined) return read;
  const names = new Set<string>();
  const prefixes = new Set<string>();
  const { named: all, refers } = mentionedIn(configuration, 0);
  for (const name of all) {
    const open = name.search(/%\d/);
    if (open < 0) names.add(name);
    else prefixes.add(name.slice(0, open));
  }
  const named = { names, prefixes: [...prefixes], borrowed: refers && borrowsAttributes(configuration) };
  known.set(configuration, named);
  return named;
}

/** What is in an element and below it. */
interface Mentioned {
  /** The node attributes that are named, as they are written. */
  readonly named: readonly string[];
  /** Whether anything refers to something by its id. */
  readonly refers: boolean;
}

const mentioned = new WeakMap<XmlElement, Mentioned>();
/** Kept for `configuration`, each section, what is in it, and the sets in that: a change of an attribute leaves all but one of each as they were. */
const KEPT_DEPTH = 3;

function mentionedIn(of: XmlElement, depth: number): Mentioned {
  const before = depth <= KEPT_DEPTH ? mentioned.get(of) : undefined;
  if (before !== undefined) return before;
  const named: string[] = [...namedBy(of)];
  let refers = of.attributes['id-ref'] !== undefined;
  for (const child of of.children) {
    if (child.kind !== 'element') continue;
    // A set may have thousands of them, and they name nothing.
    if (child.name === 'nvpair' && child.children.length === 0) {
      refers ||= child.attributes['id-ref'] !== undefined;
      continue;
    }
    const below = mentionedIn(child, depth + 1);
    for (const name of below.named) named.push(name);
    refers ||= below.refers;
  }
  const found = { named, refers };
  if (depth <= KEPT_DEPTH) mentioned.set(of, found);
  return found;
}

/** The attributes that an element names: of rules, of location scores, of colocations, of fencing levels (specification 01 §5.3, 04 §4.3, §6, 07). */
function namedBy({ name, attributes }: XmlElement): readonly string[] {
  const { 'score-attribute': score, 'node-attribute': colocated, 'target-attribute': target } = attributes;
  const tested = name === 'expression' ? attributes['attribute'] : undefined;
  return [tested, score, colocated, target].filter((given) => given !== undefined);
}

/** References by id may lead from anywhere into the sets of nodes, and in documents that ask not to be validated into the status (specification 01 §4.3). */
function borrowsAttributes(configuration: XmlElement): boolean {
  const index = new CibIndex(element('cib', {}, [configuration]));
  const nodes = firstChildNamed(configuration, 'nodes');
  const ofNodes = new Set(nodes === undefined ? [] : descendants(nodes));
  for (const one of descendants(configuration)) {
    const reference = one.attributes['id-ref'];
    if (reference === undefined) continue;
    const target = index.byId(one.name, reference);
    if (target === undefined || (ofNodes.has(target) && !ofNodes.has(one))) return true;
  }
  return false;
}
