import {
  OPERATION_ATTRIBUTES,
  OTHER_OPERATION_ATTRIBUTES,
  OTHER_RESOURCE_ATTRIBUTES,
  RESOURCE_ATTRIBUTES,
} from './attribute-definitions.js';
import { CLUSTER_OPTIONS, type ClusterOptionDefinition } from './cluster-option-definitions.js';
import { mistypedName, nearMatches } from './near-matches.js';

/** So much of a name is shown and compared, characters: no known one is longer. */
const LONGEST_SHOWN = 80;

const options: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;

/** What each known name is, where it counts. */
const HOMES: ReadonlyMap<string, string> = new Map([
  ...[...OPERATION_ATTRIBUTES, ...OTHER_OPERATION_ATTRIBUTES].map(
    ({ name }) => [name, 'an attribute of operations (op, op_defaults)'] as const,
  ),
  ...[...RESOURCE_ATTRIBUTES, ...OTHER_RESOURCE_ATTRIBUTES].map(
    ({ name }) => [name, 'a meta-attribute of resources (meta_attributes, rsc_defaults)'] as const,
  ),
  ...options
    .flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]))
    .map((name) => [name, 'a cluster option (crm_config)'] as const),
]);

/** What is to be said of a name that nothing reads where it stands. */
export interface UnknownName {
  readonly message: string;
  readonly suggestion?: string;
  /** Whether it may be somebody's own. */
  readonly mayBeMeant: boolean;
}

/** @param known names that mean something there; the given one is none of them */
export function judgeUnknownName(given: string, known: Iterable<string>): UnknownName {
  const name = given.slice(0, LONGEST_SHOWN);
  const names = [...known];
  const mistyped = given.length > LONGEST_SHOWN ? undefined : mistypedName(given, names);
  if (mistyped !== undefined)
    return { message: `${name} is not known: did you mean ${mistyped}?`, suggestion: mistyped, mayBeMeant: false };
  const home = HOMES.get(given);
  const [near] = nearMatches(name, names);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  const suggestion = near === undefined ? {} : { suggestion: near };
  if (home !== undefined) return { message: `${name} is not read here: it is ${home}${hint}`, ...suggestion, mayBeMeant: false };
  return { message: `${name} is not known: nothing here reads it${hint}`, ...suggestion, mayBeMeant: true };
}
