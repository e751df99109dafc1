import type { AttributeType } from '../schema/attribute-types.js';
import type { ElementType } from '../schema/element-type.js';
import { PARENT_FIELD } from './apply-edits.js';
import { COLLECTION_NAMES, COLLECTIONS, SETTINGS, SETTINGS_NAMES } from './collections.js';
import { EDIT_FIELDS, MEMBERS_FIELD, ONCE } from './element-edit.js';
import { hasMadeId } from './element-ids.js';
import { childTypeOf, elementTypeOf, NAME_FIELD, SET_NAMES } from './shown-element.js';

/** A JSON schema (2020-12, as OpenAPI takes it). */
export type JsonSchema = Readonly<Record<string, unknown>>;

const TEXT = { type: 'string' } as const;
const MAP = { type: 'object', additionalProperties: TEXT } as const;

/** Name of an element's schema, e.g. `RscLocationElement`. */
export function elementSchemaName(element: string): string {
  const words = element.split(/[_-]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Element`;
}

/** Name of the schema of an element that stands by itself, with its name in the field `element`. */
export function namedElementSchemaName(element: string): string {
  return `Named${elementSchemaName(element)}`;
}

/** Name of the schema of any element that stands by itself. */
export const ANY_ELEMENT = 'ConfigurationElement';
/** Name of the schema of a whole configuration. */
export const WHOLE_CONFIGURATION = 'Configuration';
/** Name of the schema of a JSON Patch. */
export const JSON_PATCH = 'JsonPatch';
/** Name of the schema of an edit. */
export const ANY_EDIT = 'ConfigurationEdit';

/**
 * JSON schemas of all that is addressed by itself, as `showPlaced` shows it and edits take it, of everything in it, and of edits.
 *
 * @param reference the reference to the schema of a name, e.g. `#/components/schemas/<name>`
 */
export function elementSchemas(reference: (name: string) => string): Readonly<Record<string, JsonSchema>> {
  const schemas: Record<string, JsonSchema> = {};
  const addressed = COLLECTION_NAMES.flatMap((name): readonly string[] => COLLECTIONS[name].elements);
  const roots = [...addressed, ...Object.values(SETTINGS)];
  // Where a name has several types, these differ in what they check only.
  const pending = roots.map((name) => [name, elementTypeOf(name)] as const);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [name, type] = next;
    const key = elementSchemaName(name);
    if (type === undefined || schemas[key] !== undefined) continue;
    schemas[key] = schemaOf(name, type, reference);
    pending.push(...Object.keys(type.children ?? {}).map((child) => [child, childTypeOf(type, child)] as const));
  }
  for (const root of roots) {
    const { resources } = COLLECTIONS;
    schemas[namedElementSchemaName(root)] = named(root, (resources.elements as readonly string[]).includes(root), reference);
  }
  schemas[ANY_ELEMENT] = {
    description: 'An element of the configuration.',
    oneOf: addressed.map((name) => ({ $ref: reference(namedElementSchemaName(name)) })),
    discriminator: {
      propertyName: NAME_FIELD,
      mapping: Object.fromEntries(addressed.map((name) => [name, reference(namedElementSchemaName(name))])),
    },
  };
  schemas[WHOLE_CONFIGURATION] = wholeSchema(reference);
  schemas[JSON_PATCH] = JSON_PATCH_SCHEMA;
  schemas[ANY_EDIT] = editSchema(reference);
  return schemas;
}

const MEMBERS: JsonSchema = {
  type: 'array',
  items: TEXT,
  description:
    'When it is created: ids of resources that are there and become its members, in this order, with all that they have. Never shown.',
};

function wholeSchema(reference: (name: string) => string): JsonSchema {
  const settings = SETTINGS_NAMES.map((name) => [
    name,
    { description: `The sets of ${name}.`, $ref: reference(elementSchemaName(SETTINGS[name])) },
  ]);
  const collections = COLLECTION_NAMES.map((name) => {
    const elements = COLLECTIONS[name].elements.map((element) => ({ $ref: reference(namedElementSchemaName(element)) }));
    const members = name === 'resources' ? ' Members stand in what they are members of.' : '';
    return [name, { type: 'array', description: `In order.${members}`, items: elements.length === 1 ? elements[0] : { oneOf: elements } }];
  });
  return {
    type: 'object',
    description: 'A whole configuration, by collection; what is empty is left out.',
    additionalProperties: false,
    properties: Object.fromEntries([...settings, ...collections]),
  };
}

const JSON_PATCH_SCHEMA: JsonSchema = {
  type: 'array',
  description: 'A JSON Patch (RFC 6902): operations that are made in their order, all or none.',
  maxItems: 1_000,
  items: {
    type: 'object',
    required: ['op', 'path'],
    properties: {
      op: {
        ...TEXT,
        enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'],
        description: 'What is done. A `test` that fails refuses the patch (409).',
      },
      path: { ...TEXT, description: 'JSON pointer (RFC 6901) of where it is done.' },
      from: { ...TEXT, description: 'JSON pointer of what is moved or copied.' },
      value: { description: 'What is added, replaces, or must be there.' },
    },
  },
};

function named(name: string, isResource: boolean, reference: (name: string) => string): JsonSchema {
  const parent = { ...TEXT, description: 'Id of the group, clone or bundle that it is a member of; absent for what is none.' };
  const properties = {
    [NAME_FIELD]: { ...TEXT, enum: [name], description: 'What it is.' },
    ...(isResource ? { [PARENT_FIELD]: parent } : {}),
    ...(['group', 'clone', 'bundle'].includes(name) ? { [MEMBERS_FIELD]: MEMBERS } : {}),
  };
  return {
    description: `<${name}>, by itself.`,
    allOf: [{ $ref: reference(elementSchemaName(name)) }, { type: 'object', required: [NAME_FIELD], properties }],
  };
}

function editSchema(reference: (name: string) => string): JsonSchema {
  const kinds = Object.entries(EDIT_FIELDS).map(([kind, fields]) => {
    const mayBeSettings = kind === 'replace' || kind === 'patch';
    const properties = Object.fromEntries(
      Object.entries(fields).map(([field, { type, description }]) => [
        field,
        { ...fieldSchema(field, type, mayBeSettings, reference), description },
      ]),
    );
    const required = Object.entries(fields).flatMap(([field, { optional }]) => (optional === true ? [] : [field]));
    return {
      type: 'object',
      additionalProperties: false,
      required: ['edit', 'collection', ...required.filter((field) => field !== 'id' || !mayBeSettings)],
      properties: {
        edit: { ...TEXT, enum: [kind], description: 'What is done.' },
        collection: { ...TEXT, enum: [...COLLECTION_NAMES, ...(mayBeSettings ? ONCE : [])], description: 'Where the element stands.' },
        ...properties,
      },
    };
  });
  return { description: 'A change of one element.', oneOf: kinds };
}

const FIELD_SCHEMAS = {
  text: { type: 'string', minLength: 1 },
  flag: { type: 'boolean' },
  json: { type: 'object', additionalProperties: true },
} as const;

function fieldSchema(
  field: string,
  type: keyof typeof FIELD_SCHEMAS,
  mayBeSettings: boolean,
  reference: (name: string) => string,
): JsonSchema {
  if (field === 'patch') return { oneOf: [FIELD_SCHEMAS.json, { $ref: reference(JSON_PATCH) }] };
  return field === 'element' ? elementOrSettings(mayBeSettings, reference) : FIELD_SCHEMAS[type];
}

function elementOrSettings(mayBeSettings: boolean, reference: (name: string) => string): JsonSchema {
  return mayBeSettings ? FIELD_SCHEMAS.json : { allOf: [{ $ref: reference(ANY_ELEMENT) }] };
}

function schemaOf(name: string, type: ElementType, reference: (name: string) => string): JsonSchema {
  const { required = {}, optional = {}, children = {} } = type;
  const properties: Record<string, JsonSchema> = {};
  for (const [attribute, check] of Object.entries({ ...required, ...optional })) properties[attribute] = attributeSchema(attribute, check);
  for (const child of Object.keys(children)) {
    if (childTypeOf(type, child) !== undefined) properties[child] = childSchema(child, children[child]?.occurs ?? '*', reference);
  }
  const needed = Object.keys(required).filter((attribute) => attribute !== 'id' || !hasMadeId(name));
  return { type: 'object', description: `<${name}>`, ...(needed.length === 0 ? {} : { required: needed }), properties };
}

function attributeSchema(attribute: string, { words }: AttributeType): JsonSchema {
  return { ...TEXT, description: `Attribute ${attribute}.`, ...(words === undefined ? {} : { enum: words }) };
}

function childSchema(child: string, occurs: string, reference: (name: string) => string): JsonSchema {
  const list = {
    type: 'array',
    items: { $ref: reference(elementSchemaName(child)) },
    ...(occurs === '+' || occurs === '1' ? { minItems: 1 } : {}),
  };
  if (SET_NAMES.has(child)) {
    return {
      description: `One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list.`,
      oneOf: [MAP, list],
    };
  }
  if (child !== 'operations') return { ...list, description: `<${child}>, in order.` };
  const operations = { type: 'array', items: { $ref: reference(elementSchemaName('op')) } };
  const full = { ...list, maxItems: 1, items: { ...list.items } };
  return { description: 'The operations; a list of operations that refers to another one as a list of this.', anyOf: [operations, full] };
}
