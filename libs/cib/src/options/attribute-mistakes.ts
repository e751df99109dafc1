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
import { mistypedName } from './near-matches.js';
import { acceptedForms, isValidOption, readInPart } from './option-type.js';

/** A text of a resource or an operation that can't be read, or not all of it. */
export interface AttributeMistake {
  /** That has the text. */
  readonly element: XmlElement;
  /** Of that element. */
  readonly attribute: string;
  /** What can't be read, and what to write. */
  readonly message: string;
  /** What counts as long as nobody mends it. */
  readonly meanwhile: string;
  /** See {@link AttributeDefinition}. */
  readonly harmful: boolean;
}

/** So much of a value is shown, characters. */
const LONGEST_SHOWN = 80;

/** What attributes of a kind of element mean. */
interface Table {
  readonly definitions: ReadonlyMap<string, AttributeDefinition>;
  /** The sets that they stand in. */
  readonly sets: 'meta_attributes' | 'instance_attributes';
  /** Every name that means something there; undefined where anybody may write names of his own. */
  readonly names: ReadonlySet<string> | undefined;
}

function tableOf(sets: Table['sets'], definitions: readonly AttributeDefinition[], others?: readonly AttributeDescription[]): Table {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  return {
    definitions: byName,
    sets,
    names: others === undefined ? undefined : new Set([...byName.keys(), ...others.map(({ name }) => name)]),
  };
}

const OPERATION = tableOf('meta_attributes', OPERATION_ATTRIBUTES, OTHER_OPERATION_ATTRIBUTES);
const RESOURCE = tableOf('meta_attributes', RESOURCE_ATTRIBUTES, OTHER_RESOURCE_ATTRIBUTES);
const NODE = tableOf('instance_attributes', NODE_ATTRIBUTES);
const TABLE_OF: ReadonlyMap<string, Table> = new Map([
  ...['primitive', 'template', 'group', 'clone', 'bundle', 'rsc_defaults'].map((name) => [name, RESOURCE] as const),
  ...['op', 'op_defaults'].map((name) => [name, OPERATION] as const),
  ['node', NODE],
]);

/** What can't be read of one element's own attributes and meta-attributes, a node's attributes, and names there that are most likely mistyped. */
export function* attributeMistakesIn(element: XmlElement): Generator<AttributeMistake> {
  const table = TABLE_OF.get(element.name);
  if (table === undefined) return;
  if (element.name === 'op') {
    for (const { name } of OPERATION_ATTRIBUTES) {
      const text = element.attributes[name];
      const mistake = text === undefined ? undefined : mistakeOf(table, name, text);
      if (mistake !== undefined) yield { element, attribute: name, ...mistake };
    }
  }
  for (const set of childrenNamed(element, table.sets)) {
    for (const pair of pairElements(set)) {
      const { name, value } = pair.attributes;
      if (name === undefined || value === undefined || isDefault(value)) continue;
      const mistake = mistakeOf(table, name, value) ?? mistypedIn(table, name);
      if (mistake !== undefined) yield { element: pair, attribute: 'value', ...mistake };
    }
  }
}

/** What of a configuration's nodes, resources, operations and their defaults can't be read, for people: what an earlier release, or a document that asked not to be validated, brought in. */
export function attributeWarnings(configuration: XmlElement): readonly string[] {
  const found: string[] = [];
  const look = (element: XmlElement, owner: string): void => {
    const id = element.name === 'op' ? owner : (element.attributes['uname'] ?? element.attributes['id'] ?? element.name);
    for (const { message, meanwhile } of attributeMistakesIn(element)) {
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

function mistakeOf(table: Table, name: string, text: string): Pick<AttributeMistake, 'message' | 'meanwhile' | 'harmful'> | undefined {
  const definition = table.definitions.get(name);
  if (definition === undefined) return undefined;
  const { type, meanwhile, harmful } = definition;
  const read = readInPart(type, text);
  if (read !== undefined) {
    const message = `${name}: of "${text.slice(0, LONGEST_SHOWN)}" only the beginning is read: use ${acceptedForms(type)}`;
    return { message, meanwhile: `it counts as ${read}`, harmful: false };
  }
  if (isValidOption(type, text)) return undefined;
  return { message: `${name}: "${text.slice(0, LONGEST_SHOWN)}" can't be read: use ${acceptedForms(type)}`, meanwhile, harmful };
}

/** Other tools keep names of their own there, so that only what is most likely mistyped is told. */
function mistypedIn({ names }: Table, name: string): Pick<AttributeMistake, 'attribute' | 'message' | 'meanwhile' | 'harmful'> | undefined {
  if (names === undefined || names.has(name) || name.length > LONGEST_SHOWN) return undefined;
  const meant = mistypedName(name, names);
  if (meant === undefined) return undefined;
  return { attribute: 'name', message: `${name} is not known: did you mean ${meant}?`, meanwhile: 'it has no effect', harmful: false };
}
