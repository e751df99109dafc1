import { descendants } from '../document/cib-index.js';
import { perPart } from '../document/per-part.js';
import { placeOfChild, placeOfRoot } from '../schema/problem-path.js';
import { childElements, childrenNamed, firstChildNamed, type XmlElement } from '../xml/element.js';
import type { ConfigurationFinding } from './finding.js';

/**
 * Location constraints that name a node which nothing knows. A warning: the node may be about to join, and a configuration may be there before its nodes.
 *
 * @param document a whole CIB; who has joined stands in its nodes, or in its status
 */
export function unknownNodes(document: XmlElement): readonly ConfigurationFinding[] {
  const configuration = firstChildNamed(document, 'configuration');
  const section = configuration === undefined ? undefined : firstChildNamed(configuration, 'constraints');
  if (configuration === undefined || section === undefined) return [];
  const named = nodesNamedIn(section);
  if (named.length === 0) return [];
  const known = knownNodes(document, configuration);
  if (named.every(known)) return [];
  const sectionPlace = placeOfChild(section, 1, placeOfRoot(configuration, '/cib/configuration'));
  const found: ConfigurationFinding[] = [];
  for (const [index, constraint] of childrenNamed(section, 'rsc_location').entries()) {
    const { node, id, rsc } = constraint.attributes;
    if (node === undefined || known(node)) continue;
    const { path, line } = placeOfChild(constraint, index + 1, sectionPlace);
    found.push({
      kind: 'unknown-node',
      level: 'warning',
      path,
      element: constraint.name,
      ...(id === undefined ? {} : { id }),
      ...(line === undefined ? {} : { line }),
      subject: rsc ?? 'constraints',
      attribute: 'node',
      message: `no node ${node} is configured, and none of that name has joined`,
      meanwhile: 'the constraint says nothing of any node that is there',
    });
  }
  return found;
}

/** The nodes that the location constraints of a section name: of thousands of constraints some tens. */
const nodesNamedIn = perPart((section): readonly string[] => [
  ...new Set(childrenNamed(section, 'rsc_location').flatMap(({ attributes }) => attributes['node'] ?? [])),
]);

/** Members; if it is none of them, remote nodes (named as their connection), guests, and the nodes of bundles' replicas, for which all resources have to be looked at. */
function knownNodes(document: XmlElement, configuration: XmlElement): (name: string) => boolean {
  const members = new Set<string>();
  const nodes = childrenNamed(configuration, 'nodes').flatMap(childElements);
  const states = childrenNamed(document, 'status').flatMap((status) => childrenNamed(status, 'node_state'));
  for (const { attributes } of [...nodes, ...states])
    for (const name of [attributes['uname'], attributes['id']]) if (name !== undefined) members.add(name);
  let others: ((name: string) => boolean) | undefined;
  return (name) => members.has(name) || (others ??= nodesMade(configuration))(name);
}

function nodesMade(configuration: XmlElement): (name: string) => boolean {
  const names = new Set<string>();
  const bundles: string[] = [];
  for (const part of childrenNamed(configuration, 'resources').flatMap(childElements)) {
    const found = nodesInResource(part);
    for (const name of found.names) names.add(name);
    bundles.push(...found.bundles);
  }
  return (name) =>
    names.has(name) || bundles.some((bundle) => name.startsWith(`${bundle}-`) && /^\d+$/.test(name.slice(bundle.length + 1)));
}

/** What a resource makes a node of. */
const nodesInResource = perPart((part) => {
  const names: string[] = [];
  const bundles: string[] = [];
  for (const { name: kind, attributes } of descendants(part)) {
    const { id = '', name, value } = attributes;
    if (kind === 'primitive') names.push(id);
    if (kind === 'bundle') bundles.push(id);
    if (kind === 'nvpair' && name === 'remote-node' && value !== undefined) names.push(value);
  }
  return { names, bundles };
});
