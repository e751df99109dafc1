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

/** The kinds of subjects that can be asked for by kind. */
export const SUBJECT_KINDS: readonly string[] = Object.keys(FIELDS);

/**
 * What events have to concern to be what was asked for: `resource:db`, `node:n1` and so on, or a bare name, whatever it is the name of.
 *
 * @param around a resource: it, what it stands in and what stands in it
 */
export function subjectFilter(subject: string, around: (resource: string) => readonly string[] = (resource) => [resource]): SubjectFilter {
  const [, kind = '', name = ''] = /^([a-z]+):(.+)$/s.exec(subject) ?? [];
  const fields = Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : undefined;
  if (fields === undefined) return { anyOf: [subject] };
  const anyOf = kind === 'resource' ? around(name) : [name];
  return { anyOf, named: { in: fields, orTypes: CONFIGURING } };
}
