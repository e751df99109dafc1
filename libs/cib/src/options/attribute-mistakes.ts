import { childElements, childrenNamed, firstChildNamed, type XmlElement } from '../xml/element.js';
import { isDefault, pairElements } from '../nvpairs/nvpair-sets.js';
import {
  NODE_ATTRIBUTES,
  OPERATION_ATTRIBUTES,
  OTHER_OPERATION_ATTRIBUTES,
  OTHER_RESOURCE_ATTRIBUTES,
  RESOURCE_ATTRIBUTES,
  type AttributeDefinition,
  type AttributeDescription,
} from './attribute-definitions.js';
import { isConnectionAgent } from '../reading/remote-nodes.js';
import { CONNECTION_PARAMETERS } from './connection-definitions.js';
import { FENCE_DEVICE_PARAMETERS } from './fence-device-definitions.js';
import { meantWord } from './near-matches.js';
import { parseBoolean } from '../scalars/boolean.js';
import { acceptedForms, isValidOption, readInPart } from './option-type.js';
import { judgeUnknownName } from './unknown-name.js';

/** A text of a resource or an operation that can't be read, or not all of it, or a name that nothing reads. */
export interface AttributeMistake extends Mistake {
  /** That has the text. */
  readonly element: XmlElement;
}

interface Mistake {
  readonly kind: 'unknown-name' | 'unreadable-value' | 'read-in-part';
  /** Of the element. */
  readonly attribute: string;
  /** What can't be read, and what to write. */
  readonly message: string;
  /** What counts as long as nobody mends it. */
  readonly meanwhile: string;
  /** See {@link AttributeDefinition}. */
  readonly harmful: boolean;
  /** The known name or word that was most likely meant. */
  readonly suggestion?: string;
  /** Whether it may well be what somebody wants: a name of their own. */
  readonly mayBeMeant: boolean;
}

/** So much of a value is shown, characters. */
const LONGEST_SHOWN = 80;

/** What attributes of a kind of element mean. */
interface Table {
  /** Of those whose text is checked. */
  readonly definitions: ReadonlyMap<string, AttributeDefinition>;
  /** The sets that they stand in. */
  readonly sets: 'meta_attributes' | 'instance_attributes';
  /** Every name that means something there; undefined where anybody may write names of his own. */
  readonly names: ReadonlySet<string> | undefined;
  /** Of these, those that the element's own attributes alone are read for. */
  readonly ownOnly: ReadonlySet<string>;
  /** What becomes of other names. */
  readonly othersMeanwhile: string;
}

function tableOf(
  sets: Table['sets'],
  all: readonly (AttributeDescription | AttributeDefinition)[],
  names: 'own' | 'any',
  othersMeanwhile = 'it has no effect',
): Table {
  return {
    definitions: new Map(all.flatMap((one) => ('meanwhile' in one ? [[one.name, one] as const] : []))),
    sets,
    names: names === 'any' ? undefined : new Set(all.map(({ name }) => name)),
    ownOnly: new Set(all.flatMap(({ name, ownOnly }) => (ownOnly ? [name] : []))),
    othersMeanwhile,
  };
}

const OPERATION = tableOf(
  'meta_attributes',
  [...OPERATION_ATTRIBUTES, ...OTHER_OPERATION_ATTRIBUTES],
  'own',
  'only the resource agent is told of it',
);
const RESOURCE = tableOf('meta_attributes', [...RESOURCE_ATTRIBUTES, ...OTHER_RESOURCE_ATTRIBUTES], 'own');
const NODE = tableOf('instance_attributes', NODE_ATTRIBUTES, 'any');
const FENCE_DEVICE = tableOf('instance_attributes', FENCE_DEVICE_PARAMETERS, 'own');
const CONNECTION = tableOf('instance_attributes', CONNECTION_PARAMETERS, 'own', 'nobody is told of it');
const TABLE_OF: ReadonlyMap<string, Table> = new Map([
  ...['primitive', 'template', 'group', 'clone', 'bundle', 'rsc_defaults'].map((name) => [name, RESOURCE] as const),
  ...['op', 'op_defaults'].map((name) => [name, OPERATION] as const),
  ['node', NODE],
]);

/** Names of the elements that {@link attributeMistakesIn} has something to say of. */
export const ELEMENTS_WITH_ATTRIBUTES: readonly string[] = [...TABLE_OF.keys()];

/** What can't be read of one element's own attributes and meta-attributes, a node's attributes, and names there that nothing reads. */
export function* attributeMistakesIn(element: XmlElement): Generator<AttributeMistake> {
  const table = TABLE_OF.get(element.name);
  if (table === undefined) return;
  if (element.name === 'op') {
    for (const name of table.definitions.keys()) {
      const text = element.attributes[name];
      const mistake = text === undefined ? undefined : mistakeOf(table, name, text);
      if (mistake !== undefined) yield { element, ...mistake, attribute: name };
    }
  }
  yield* mistakesInPairs(element, table);
  if (mayBeFenceDevice(element)) yield* mistakesInPairs(element, FENCE_DEVICE, ({ name }) => name.startsWith('pcmk_'));
  if (isConnectionAgent(element.attributes)) yield* mistakesInPairs(element, CONNECTION);
}

/** @param counts what of the pairs the table is about */
function* mistakesInPairs(
  element: XmlElement,
  table: Table,
  counts: (pair: { readonly name: string }) => boolean = () => true,
): Generator<AttributeMistake> {
  for (const set of childrenNamed(element, table.sets)) {
    for (const pair of pairElements(set)) {
      const { name, value } = pair.attributes;
      if (name === undefined || value === undefined || isDefault(value) || !counts({ name })) continue;
      const mistake = unreadIn(table, name, value) ?? mistakeOf(table, name, value) ?? unknownIn(table, name);
      if (mistake !== undefined) yield { element: pair, ...mistake };
    }
  }
}

/** By its class; what is made of a template says none. */
function mayBeFenceDevice({ name, attributes }: XmlElement): boolean {
  if (name !== 'primitive' && name !== 'template') return false;
  const { class: standard, template } = attributes;
  return standard === undefined ? template !== undefined : standard.toLowerCase() === 'stonith';
}

/**
 * What of a configuration's nodes, resources, operations and their defaults can't be read, for people: what an earlier release, or a document that asked not to be validated, brought in. Other tools keep names
 * of their own there: of these only what is most likely mistyped is told.
 */
export function attributeWarnings(configuration: XmlElement): readonly string[] {
  const found: string[] = [];
  const look = (element: XmlElement, owner: string): void => {
    const id = element.name === 'op' ? owner : (element.attributes['uname'] ?? element.attributes['id'] ?? element.name);
    for (const { message, meanwhile, mayBeMeant } of attributeMistakesIn(element)) {
      if (mayBeMeant) continue;
      const of = element.name === 'op' ? `${id}, operation ${element.attributes['name'] ?? ''}` : id;
      found.push(`${of}: ${message}; meanwhile ${meanwhile}`);
    }
    for (const child of childElements(element))
      if (child.name === 'operations' || TABLE_OF.has(child.name)) look(child, element.name === 'operations' ? owner : id);
  };
  for (const name of ['nodes', 'resources', 'rsc_defaults', 'op_defaults']) {
    const section = firstChildNamed(configuration, name);
    if (section !== undefined) look(section, name);
  }
  return found;
}

function mistakeOf(table: Table, name: string, text: string): Mistake | undefined {
  const definition = table.definitions.get(name);
  if (definition === undefined) return undefined;
  const { type, meanwhile, harmful } = definition;
  const place = { attribute: 'value', mayBeMeant: false } as const;
  const read = readInPart(type, text);
  if (read !== undefined) {
    const message = `${name}: of "${text.slice(0, LONGEST_SHOWN)}" only the beginning is read: use ${acceptedForms(type)}`;
    return { ...place, kind: 'read-in-part', message, meanwhile: `it counts as ${read}`, harmful: false };
  }
  if (isValidOption(type, text)) return undefined;
  const suggestion = meantWord(type, text);
  return {
    ...place,
    kind: 'unreadable-value',
    message: `${name}: "${text.slice(0, LONGEST_SHOWN)}" can't be read: use ${acceptedForms(type)}`,
    meanwhile,
    harmful,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** What is read elsewhere alone, unless it asks for what happens anyway: whoever switches a monitor off there has it run on. */
function unreadIn({ ownOnly, definitions }: Table, name: string, text: string): Mistake | undefined {
  if (!ownOnly.has(name) || (definitions.get(name)?.type.kind === 'boolean' && parseBoolean(text) === true)) return undefined;
  const message = `${name}: nothing reads it among meta-attributes: write it as an attribute of the op itself`;
  const place = { kind: 'unknown-name', attribute: 'name', mayBeMeant: false } as const;
  return { ...place, message, meanwhile: 'it has no effect', harmful: false };
}

/** Other tools keep names of their own there, so that only what is most likely mistyped, or belongs elsewhere, is surely wrong. */
function unknownIn({ names, othersMeanwhile }: Table, name: string): Mistake | undefined {
  if (names === undefined || names.has(name)) return undefined;
  const unknown = judgeUnknownName(name, names);
  return { kind: 'unknown-name', attribute: 'name', ...unknown, meanwhile: othersMeanwhile, harmful: false };
}
