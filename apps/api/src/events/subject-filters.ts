import { childElements, CibIndex, type XmlElement } from '@systole/cib';
import type { ClusterState } from '@systole/cluster';
import type { SubjectFilter } from '@systole/event-store';

/** Events that concern the configuration: what they name may be of any kind, and ids there are unique. */
const CONFIGURING = ['ClusterCreated', 'ConfigurationChanged'];

/** Fields of events' data that name something, by what kind of thing it is. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  resource: ['resource', 'device'],
  node: ['node', 'target', 'executor', 'migrateSource', 'migrateTarget'],
  ticket: ['ticket'],
  attribute: ['name'],
  constraint: [],
};

const RESOURCES = new Set(['primitive', 'group', 'clone', 'master', 'bundle']);

/** The most that a resource is found with: a group may have hundreds of members, and each is looked for. */
const MOST_AROUND = 64;

/** The kinds of subjects that can be asked for by kind. */
export const SUBJECT_KINDS: readonly string[] = Object.keys(FIELDS);

/**
 * What events have to concern to be what was asked for: `resource:db`, `node:n1` and so on, or a bare name, whatever it is the name of. A resource is found with what it
 * stands in, and with what stands in it, in the present configuration.
 */
export function subjectFilter(subject: string, { cib }: Pick<ClusterState, 'cib'>): SubjectFilter {
  const [, kind = '', name = ''] = /^([a-z]+):(.+)$/s.exec(subject) ?? [];
  const fields = Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : undefined;
  if (fields === undefined) return { anyOf: [subject] };
  const anyOf = kind === 'resource' ? resourceWithNeighbours(cib, name) : [name];
  return { anyOf, named: { in: fields, orTypes: CONFIGURING } };
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
