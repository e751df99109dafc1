import { childElements, childrenNamed } from '../xml/element.js';
import { bundleNodes } from './bundle-nodes.js';
import type { XmlElement } from '../xml/element.js';

/** A node that a resource makes one: a remote node by a connection of its own, a guest node by the resource that it runs in (specification 03 §1.2). */
export interface ImpliedNode {
  /** Also the id of its connection. */
  readonly name: string;
  readonly kind: 'remote' | 'guest';
  /** Id of the resource that a guest runs in. */
  readonly launcher?: string;
  /** Id of the bundle in whose container it is; absent for all others. */
  readonly bundle?: string;
}

/** Whether an element, or an action of a graph, names the agent of connections to nodes of remote type; as written on it. */
export function isConnectionAgent(agent: { readonly class?: string; readonly provider?: string; readonly type?: string }): boolean {
  return isText(agent.class, 'ocf') && isText(agent.provider, 'pacemaker') && isText(agent.type, 'remote');
}

function isText(text: string | undefined, expected: string): boolean {
  return text?.toLowerCase() === expected;
}

/** The meta-attributes that make a primitive the launcher of a guest, read literally: no rules, no references; later pairs win. */
export function literalMeta(primitive: XmlElement): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const set of childrenNamed(primitive, 'meta_attributes')) {
    for (const { attributes } of childrenNamed(set, 'nvpair')) {
      if (attributes['name'] !== undefined && attributes['value'] !== undefined) values.set(attributes['name'], attributes['value']);
    }
  }
  return values;
}

const NONE: readonly ImpliedNode[] = [];
const known = new WeakMap<XmlElement, readonly ImpliedNode[]>();

/**
 * The remote and guest nodes that a `resources` section implies, in document order; the nodes of bundles are guests, too. Looked for where the scheduler does: primitives and bundles of the section, and members of its groups as far as
 * guests go.
 */
export function impliedNodes(resources: XmlElement | undefined): readonly ImpliedNode[] {
  if (resources === undefined) return NONE;
  const before = known.get(resources);
  if (before !== undefined) return before;
  const found = childElements(resources).flatMap((child): readonly ImpliedNode[] => {
    const { id } = child.attributes;
    if (child.name === 'primitive' && isConnectionAgent(child.attributes)) return id === undefined ? [] : [{ name: id, kind: 'remote' }];
    if (child.name === 'primitive') return guestOf(child);
    if (child.name === 'bundle' && id !== undefined)
      return bundleNodes(child).map(({ name, container }) => ({ name, kind: 'guest', launcher: container, bundle: id }));
    return child.name === 'group' ? childrenNamed(child, 'primitive').flatMap(guestOf) : [];
  });
  const nodes = found.length === 0 ? NONE : found;
  known.set(resources, nodes);
  return nodes;
}

function guestOf(primitive: XmlElement): readonly ImpliedNode[] {
  const name = literalMeta(primitive).get('remote-node');
  const { id } = primitive.attributes;
  return name === undefined ? [] : [{ name, kind: 'guest', ...(id === undefined ? {} : { launcher: id }) }];
}
