import { CLUSTER_OPTIONS } from './cluster-option-definitions.js';
import type { ClusterOptionDefinition } from './cluster-option-definitions.js';
import { meantWord, mistypedName, nearMatches } from './near-matches.js';
import { parseBoolean } from '../scalars/boolean.js';
import { parseInterval } from '../scalars/interval.js';
import { acceptedForms, integerOf, isValidOption, readInPart, type ClusterOptionKind } from './option-type.js';
import { judgeUnknownName, type UnknownName } from './unknown-name.js';

/** What is wrong with an option as configured. */
export interface OptionMistake {
  readonly kind: 'unknown-name' | 'unreadable-value' | 'read-in-part';
  /** Which half of the pair is wrong. */
  readonly attribute: 'name' | 'value';
  /** What does not count, or not as it stands, and what to write. */
  readonly message: string;
  /** What counts as long as nobody mends it. */
  readonly meanwhile: string;
  /** The known name or word that was most likely meant. */
  readonly suggestion?: string;
}

/** So much of a name or value is shown and compared, characters: no option has a longer name. */
const LONGEST_SHOWN = 80;

const definitions: ReadonlyMap<string, ClusterOptionDefinition> = new Map(
  CLUSTER_OPTIONS.flatMap((definition: ClusterOptionDefinition) =>
    [definition.name, definition.alias].flatMap((name) => (name === undefined ? [] : [[name, definition] as const])),
  ),
);

/** Whether an option is meant to be Systole's own, by its name. Wrong ones are refused; Pacemaker's behave as its specification says. */
export function isOwnOption(name: string): boolean {
  return /^systole[-_]/i.test(name);
}

/**
 * Why a configured option does not count, or not as it stands: its value fails its test (specification 01 §3.1 step 3), only the beginning of it is read, or its name begins as our own do and is none.
 * Other unknown names are inert, as in Pacemaker, and tools keep names of their own there: only what is most likely mistyped is told.
 */
export function optionMistake(name: string, value: string): OptionMistake | undefined {
  const definition = definitions.get(name);
  if (definition === undefined) {
    if (!isOwnOption(name)) return mistypedOption(name);
    const own = [...definitions.keys()].filter(isOwnOption);
    const [nearest] = nearMatches(name.slice(0, LONGEST_SHOWN), own);
    const hint = nearest === undefined ? `known are ${own.join(', ')}` : `did you mean ${nearest}?`;
    return {
      kind: 'unknown-name',
      attribute: 'name',
      ...(nearest === undefined ? {} : { suggestion: nearest }),
      message: `there is no cluster option ${name.slice(0, LONGEST_SHOWN)}: ${hint}`,
      meanwhile: 'it has no effect',
    };
  }
  const read = readInPart(definition.type, value);
  if (read !== undefined) {
    return {
      kind: 'read-in-part',
      attribute: 'value',
      message: `${name}: of "${value.slice(0, LONGEST_SHOWN)}" only the beginning is read: use ${acceptedForms(definition.type)}`,
      meanwhile: `${read} is used`,
    };
  }
  if (isValidOption(definition.type, value)) return undefined;
  const word = meantWord(definition.type, value);
  return {
    kind: 'unreadable-value',
    attribute: 'value',
    ...(word === undefined ? {} : { suggestion: word }),
    message: `${name}: "${value.slice(0, LONGEST_SHOWN)}" is not valid: use ${acceptedForms(definition.type)}`,
    meanwhile: definition.default === undefined ? 'it counts as not set' : `${definition.default} is used`,
  };
}

/** Whether there is a cluster option of that name, newer or older. */
export function isClusterOption(name: string): boolean {
  return definitions.has(name);
}

/** Why an option is refused; undefined where it is not, or its value asks for no more than what happens anyway. */
export function refusedOption(name: string, value: string): string | undefined {
  const definition = definitions.get(name);
  if (definition?.refused === undefined) return undefined;
  const { type, default: fallback, harmless = [] } = definition;
  return [fallback, ...harmless].some((text) => text !== undefined && saysTheSame(type, value, text)) ? undefined : definition.refused;
}

function saysTheSame(type: ClusterOptionKind, one: string, other: string): boolean {
  if (one === other) return true;
  switch (type.kind) {
    case 'boolean':
      return parseBoolean(one) === parseBoolean(other);
    case 'duration':
      return parseInterval(one) === parseInterval(other);
    case 'integer':
      return integerOf(one) === integerOf(other);
    default:
      return false;
  }
}

/** What is to be said of the name of an option that there is not, beside what {@link optionMistake} says. */
export function unknownOption(name: string): UnknownName {
  return judgeUnknownName(name, definitions.keys());
}

function mistypedOption(name: string): OptionMistake | undefined {
  if (name.length > LONGEST_SHOWN) return undefined;
  const meant = mistypedName(name, definitions.keys());
  if (meant === undefined) return undefined;
  return {
    kind: 'unknown-name',
    attribute: 'name',
    message: `${name} is not known: did you mean ${meant}?`,
    meanwhile: 'it has no effect',
    suggestion: meant,
  };
}
