import { childElements, CibIndex, type XmlElement } from '@systole/cib';
import type { ClusterState } from '@systole/cluster';
import type { SubjectFilter } from '@systole/event-store';
import { subjectFilter, type SubjectKind } from '@systole/read-models';

const RESOURCES = new Set(['primitive', 'group', 'clone', 'master', 'bundle']);

/** The most that something is found with: a group may have hundreds of members, and each is looked for. */
const MOST_AROUND = 64;

/**
 * What events have to concern. By the present configuration a resource is found with what it stands in, and with what stands in it; a node with the id of its entry, and an attribute of nodes with the ids that it has in these:
 * changes of an entry name these ids.
 */
export function subjectFilterIn(subject: string, { cib }: Pick<ClusterState, 'cib'>): SubjectFilter {
  const index = new CibIndex(cib);
  return subjectFilter(subject, (name, kind) => {
    const names = new Set([name]);
    for (const [of, found] of FOUND_WITH) if (kind === undefined || kind === of) for (const other of found(index, name)) names.add(other);
    return [...names].slice(0, MOST_AROUND);
  });
}

const FOUND_WITH: readonly (readonly [SubjectKind, (cib: CibIndex, name: string) => Iterable<string>])[] = [
  ['node', entriesOf],
  ['resource', neighboursOf],
  ['attribute', attributesNamed],
];

function nodesIn(cib: CibIndex): readonly XmlElement[] {
  const nodes = cib.section('nodes');
  return nodes === undefined ? [] : childElements(nodes).filter(({ name }) => name === 'node');
}

function entriesOf(cib: CibIndex, node: string): readonly string[] {
  return nodesIn(cib).flatMap(({ attributes: { id, uname } }) => (uname === node && id !== undefined ? [id] : []));
}

function attributesNamed(cib: CibIndex, name: string): readonly string[] {
  return nodesIn(cib)
    .flatMap(childElements)
    .flatMap(childElements)
    .flatMap(({ attributes }) => (attributes['name'] === name && attributes['id'] !== undefined ? [attributes['id']] : []));
}

function neighboursOf(cib: CibIndex, id: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (element: XmlElement, above: readonly string[], within: boolean): void => {
    const own = RESOURCES.has(element.name) ? element.attributes['id'] : undefined;
    if (own === id) for (const ancestor of above) names.add(ancestor);
    if (within && own !== undefined) names.add(own);
    const path = own === undefined ? above : [...above, own];
    for (const child of childElements(element)) if (RESOURCES.has(child.name)) visit(child, path, within || own === id);
  };
  const resources = cib.section('resources');
  if (resources !== undefined) visit(resources, [], false);
  return names;
}
