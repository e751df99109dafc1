import type { SubjectFilter } from '@systole/event-store';

/** Events that concern the configuration: what they name may be of any kind, and ids there are unique. */
const CONFIGURING = ['ClusterCreated', 'ConfigurationChanged'];

/** Fields of events' data that name something, by what kind of thing it is. */
const FIELDS = {
  resource: ['resource', 'device'],
  node: ['node', 'target', 'executor', 'migrateSource', 'migrateTarget'],
  ticket: ['ticket'],
  attribute: ['name'],
  constraint: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A kind of subject that can be asked for. */
export type SubjectKind = keyof typeof FIELDS;

/** The kinds of subjects that can be asked for by kind. */
export const SUBJECT_KINDS: readonly string[] = Object.keys(FIELDS);

/**
 * What events have to concern to be what was asked for: `resource:db`, `node:n1` and so on, or a bare name, whatever it is the name of.
 *
 * @param around what something of a kind (a bare name: of any) is found with, itself first
 */
export function subjectFilter(
  subject: string,
  around: (name: string, kind: SubjectKind | undefined) => readonly string[] = (name) => [name],
): SubjectFilter {
  const [, kind = '', name = ''] = /^([a-z]+):(.+)$/s.exec(subject) ?? [];
  if (!isKind(kind)) return { anyOf: around(subject, undefined) };
  return { anyOf: around(name, kind), named: { in: FIELDS[kind], orTypes: CONFIGURING } };
}

function isKind(kind: string): kind is SubjectKind {
  return Object.hasOwn(FIELDS, kind);
}
