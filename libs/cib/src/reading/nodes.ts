import type { CibEvaluation } from '../document/cib-evaluation.js';
import { childrenNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/** A node of the configuration (specification 03 §1.1). */
export interface ConfiguredNode {
  readonly id: string;
  readonly name: string;
  readonly kind: 'member' | 'remote';
  readonly element: XmlElement;
}

/** The nodes of the configuration in document order, and what of it is passed over, for people. */
export interface ConfiguredNodes {
  readonly nodes: readonly ConfiguredNode[];
  readonly ignored: readonly string[];
}

/** Reads the `nodes` section: an entry without id is passed over, one of an unknown type with all that follow it. */
export function readNodes(section: XmlElement | undefined): ConfiguredNodes {
  const nodes: ConfiguredNode[] = [];
  const ignored: string[] = [];
  for (const element of section === undefined ? [] : childrenNamed(section, 'node')) {
    const { id, uname, type = 'member' } = element.attributes;
    if (id === undefined) {
      ignored.push('Ignoring a node without id: give it one');
      continue;
    }
    const kind = type.toLowerCase();
    if (kind !== 'remote' && kind !== 'member') {
      ignored.push(`Ignoring node ${uname ?? id} and the ones after it: type "${type}" is unknown, use "member" or "remote"`);
      break;
    }
    nodes.push({ id, name: uname ?? id, kind, element });
  }
  return { nodes, ignored };
}

/** Whether an element is the entry of a remote node or a guest: such nodes are made by resources, and have one for their attributes only. */
export function isRemoteEntry({ name, attributes }: XmlElement): boolean {
  return name === 'node' && attributes['type']?.toLowerCase() === 'remote';
}

/** Who a node is, as its built-in attributes say. */
export interface NodeIdentity {
  readonly id: string;
  readonly name: string;
  readonly isDc: boolean;
}

/** Where attributes of a node come from; permanent ones never overwrite what is there, transient ones do (specification 03 §1.5). */
export interface AttributeSource {
  /** A `node`, or a `transient_attributes`; undefined where there is none. */
  readonly element: XmlElement | undefined;
  readonly lifetime: 'forever' | 'reboot';
}

/** Reads a node's attributes from one source, the built-in ones besides (specification 01 §4.8); `#kind` is the caller's to say. */
export function fillNodeAttributes(
  evaluation: CibEvaluation,
  { id, name, isDc }: NodeIdentity,
  { element, lifetime }: AttributeSource,
  attributes: Map<string, string>,
): void {
  attributes.set('#uname', name);
  attributes.set('#id', id);
  attributes.set('#is_dc', isDc ? 'true' : 'false');
  const clusterName = evaluation.options.text('cluster-name');
  if (clusterName !== undefined) attributes.set('#cluster-name', clusterName);
  if (element !== undefined && lifetime === 'forever') evaluation.fill(element, 'instance_attributes', {}, attributes);
  if (element !== undefined && lifetime === 'reboot') {
    const values = new Map<string, string>();
    evaluation.fill(element, 'instance_attributes', {}, values);
    for (const [given, value] of values) attributes.set(given, value);
  }
  if (!attributes.has('#site-name')) {
    const site = attributes.get('site-name') ?? clusterName;
    if (site !== undefined) attributes.set('#site-name', site);
  }
}
