import type { CibEvaluation } from '../document/cib-evaluation.js';
import type { RuleInput } from '../rules/rule-input.js';
import { parseBoolean } from '../scalars/boolean.js';
import { parseInteger } from '../scalars/integer.js';
import type { XmlElement } from '../xml/element.js';

/** Where the meta-attributes of a resource come from, its own first. */
export interface MetaSources {
  /** The resource, with what it has from its template. */
  readonly element: XmlElement;
  readonly id: string;
  /** Number of an instance of a clone. */
  readonly instance: string | undefined;
  /** The resources that it stands in, the nearest first. */
  readonly ancestors: Iterable<XmlElement>;
  /** The complete table of the resource that it stands in. */
  readonly parentMeta: ReadonlyMap<string, string> | undefined;
}

/** Fills the table of a resource's meta-attributes: the first source that has a name wins (specification 01 §4.5, 02 §3.1). */
export function fillMetaAttributes(
  evaluation: CibEvaluation,
  { element, id, instance, ancestors, parentMeta }: MetaSources,
  input: RuleInput,
  table: Map<string, string>,
): void {
  for (const [name, value] of Object.entries(element.attributes)) table.set(name, value);
  table.set('id', id);
  if (instance !== undefined) table.set('clone', instance);
  evaluation.fill(element, 'meta_attributes', input, table);
  const inherited = new Map<string, string>();
  for (const ancestor of ancestors) evaluation.fill(ancestor, 'meta_attributes', input, inherited);
  addMissing(table, inherited);
  const defaults = evaluation.index.firstNamed('rsc_defaults');
  if (defaults) evaluation.fill(defaults, 'meta_attributes', input, table);
  if (parentMeta) addMissing(table, parentMeta);
}

function addMissing(table: Map<string, string>, more: ReadonlyMap<string, string>): void {
  for (const [name, value] of more) if (!table.has(name)) table.set(name, value);
}

/** Whether a resource's own meta-attributes say that it is in maintenance (specification 02 §3.3). */
export function isInMaintenance(meta: ReadonlyMap<string, string>): boolean {
  return parseBoolean(meta.get('maintenance')) === true;
}

/** What `is-managed` says; a text that means nothing says no (specification 02 §3.3). In maintenance nothing is managed. */
export function isManaged(meta: ReadonlyMap<string, string>): boolean {
  const managed = meta.get('is-managed');
  return !isInMaintenance(meta) && (managed === undefined || managed.toLowerCase() === 'default' || parseBoolean(managed) === true);
}

/**
 * Whether the instances of a clone are told apart, as the table of the clone or of a resource within it says; those of an anonymous clone share one history id
 * (specification 02 §7).
 */
export function isGloballyUnique(meta: ReadonlyMap<string, string>): boolean {
  const unique = meta.get('globally-unique');
  return unique === undefined ? (parseInteger(meta.get('clone-node-max')) ?? 0) > 1 : parseBoolean(unique) === true;
}
