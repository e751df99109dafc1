import { childElements, CibIndex, type XmlElement } from '@systole/cib';
import type { ClusterState } from '@systole/cluster';
import type { SubjectFilter } from '@systole/event-store';
import { subjectFilter } from '@systole/read-models';

const RESOURCES = new Set(['primitive', 'group', 'clone', 'master', 'bundle']);

/** The most that a resource is found with: a group may have hundreds of members, and each is looked for. */
const MOST_AROUND = 64;

/** What events have to concern; a resource is found with what it stands in, and with what stands in it, in the present configuration. */
export function subjectFilterIn(subject: string, { cib }: Pick<ClusterState, 'cib'>): SubjectFilter {
  return subjectFilter(subject, (resource) => resourceWithNeighbours(cib, resource));
}

function resourceWithNeighbours(cib: XmlElement, id: string): readonly string[] {
  const names = new Set([id]);
  const visit = (element: XmlElement, above: readonly string[], within: boolean): void => {
    const own = RESOURCES.has(element.name) ? element.attributes['id'] : undefined;
    if (own === id) for (const ancestor of above) names.add(ancestor);
    if (within && own !== undefined) names.add(own);
    const path = own === undefined ? above : [...above, own];
    for (const child of childElements(element)) if (RESOURCES.has(child.name)) visit(child, path, within || own === id);
  };
  const resources = new CibIndex(cib).section('resources');
  if (resources !== undefined) visit(resources, [], false);
  return [...names].slice(0, MOST_AROUND);
}

/** A resource, and the primitives in it, in the present configuration. */
export function primitivesOf(cib: XmlElement, id: string): readonly string[] {
  const names = new Set([id]);
  const visit = (element: XmlElement, within: boolean): void => {
    const own = element.attributes['id'];
    if (within && element.name === 'primitive' && own !== undefined) names.add(own);
    for (const child of childElements(element)) if (RESOURCES.has(child.name)) visit(child, within || own === id);
  };
  const resources = new CibIndex(cib).section('resources');
  if (resources !== undefined) visit(resources, false);
  return [...names];
}
