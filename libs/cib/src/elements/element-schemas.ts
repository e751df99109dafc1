import type { AttributeType } from '../schema/attribute-types.js';
import { ELEMENT_TYPES } from '../schema/element-types.js';
import type { ElementType } from '../schema/element-type.js';
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

/**
 * JSON schemas of all elements below the given ones, and of these with their names, as `showElement` shows and `writeElement` takes them.
 *
 * @param reference the reference to the schema of a name, e.g. `#/components/schemas/<name>`
 */
export function elementSchemas(roots: readonly string[], reference: (name: string) => string): Readonly<Record<string, JsonSchema>> {
  const schemas: Record<string, JsonSchema> = {};
  const pending = [...roots];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const type = elementTypeOf(name);
    const key = elementSchemaName(name);
    if (type === undefined || schemas[key] !== undefined) continue;
    schemas[key] = schemaOf(name, type, reference);
    pending.push(...Object.keys(type.children ?? {}));
  }
  for (const root of roots) {
    schemas[namedElementSchemaName(root)] = {
      description: `<${root}>, by itself.`,
      allOf: [
        { $ref: reference(elementSchemaName(root)) },
        {
          type: 'object',
          required: [NAME_FIELD],
          properties: { [NAME_FIELD]: { type: 'string', enum: [root], description: 'What it is.' } },
        },
      ],
    };
  }
  return schemas;
}

/** The names of all elements that the schema knows. */
export const ELEMENT_NAMES: readonly string[] = Object.keys(ELEMENT_TYPES);

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
