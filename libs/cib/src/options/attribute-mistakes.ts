import { childElements, childrenNamed, firstChildNamed, type XmlElement } from '../xml/element.js';
import { isDefault, pairElements } from '../nvpairs/nvpair-sets.js';
import { OPERATION_ATTRIBUTES, RESOURCE_ATTRIBUTES, type AttributeDefinition } from './attribute-definitions.js';
import { acceptedForms, isValidOption } from './option-type.js';

/** A text of a resource or an operation that can't be read. */
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

type Table = ReadonlyMap<string, AttributeDefinition>;

const tableOf = (definitions: readonly AttributeDefinition[]): Table =>
  new Map(definitions.map((definition) => [definition.name, definition]));
const OPERATION = tableOf(OPERATION_ATTRIBUTES);
const RESOURCE = tableOf(RESOURCE_ATTRIBUTES);
/** Whose meta-attributes are of which table. */
const META_OF: ReadonlyMap<string, Table> = new Map([
  ...['primitive', 'template', 'group', 'clone', 'bundle', 'rsc_defaults'].map((name) => [name, RESOURCE] as const),
  ...['op', 'op_defaults'].map((name) => [name, OPERATION] as const),
]);

/** What can't be read of one element's own attributes and meta-attributes. */
export function* attributeMistakesIn(element: XmlElement): Generator<AttributeMistake> {
  const table = META_OF.get(element.name);
  if (table === undefined) return;
  if (element.name === 'op') {
    for (const { name } of OPERATION_ATTRIBUTES) {
      const text = element.attributes[name];
      const mistake = text === undefined ? undefined : mistakeOf(table, name, text);
      if (mistake !== undefined) yield { element, attribute: name, ...mistake };
    }
  }
  for (const set of childrenNamed(element, 'meta_attributes')) {
    for (const pair of pairElements(set)) {
      const { name, value } = pair.attributes;
      const mistake = name === undefined || value === undefined || isDefault(value) ? undefined : mistakeOf(table, name, value);
      if (mistake !== undefined) yield { element: pair, attribute: 'value', ...mistake };
    }
  }
}

/** What of a configuration's resources, operations and their defaults can't be read, for people: what an earlier release, or a document that asked not to be validated, brought in. */
export function attributeWarnings(configuration: XmlElement): readonly string[] {
  const found: string[] = [];
  const look = (element: XmlElement, owner: string): void => {
    const id = element.name === 'op' ? owner : (element.attributes['id'] ?? element.name);
    for (const { message, meanwhile } of attributeMistakesIn(element)) {
      const of = element.name === 'op' ? `${id}, operation ${element.attributes['name'] ?? ''}` : id;
      found.push(`${of}: ${message}; meanwhile ${meanwhile}`);
    }
    for (const child of childElements(element))
      if (child.name === 'operations' || META_OF.has(child.name)) look(child, element.name === 'operations' ? owner : id);
  };
  for (const name of ['resources', 'rsc_defaults', 'op_defaults']) {
    const section = firstChildNamed(configuration, name);
    if (section !== undefined) look(section, name);
  }
  return found;
}

function mistakeOf(table: Table, name: string, text: string): Pick<AttributeMistake, 'message' | 'meanwhile' | 'harmful'> | undefined {
  const definition = table.get(name);
  if (definition === undefined || isValidOption(definition.type, text)) return undefined;
  const { type, meanwhile, harmful } = definition;
  return { message: `${name}: "${text.slice(0, LONGEST_SHOWN)}" can't be read: use ${acceptedForms(type)}`, meanwhile, harmful };
}
