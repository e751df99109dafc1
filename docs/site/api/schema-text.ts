import { cell, code, shown, table } from '../markdown-text.js';
import { nameOf, type Schema } from './openapi-document.js';

/** Where a schema is described: an address with an anchor. */
export type SchemaLink = (name: string) => string;

/** Values of an enumeration that stand in a table; one with more is cut, for its schema has them all. */
const VALUES_IN_TABLE = 60;

/** What a value is, in a few words: its type, with links to the schemas that it consists of, and its limits. */
export function typeText(schema: Schema, link: SchemaLink): string {
  if (schema.$ref !== undefined) return `[${nameOf(schema.$ref)}](${link(nameOf(schema.$ref))})`;
  const parts = schema.allOf ?? schema.oneOf ?? schema.anyOf;
  if (parts !== undefined) return parts.map((part) => typeText(part, link)).join(schema.allOf ? ' and ' : ' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return enumText(schema.enum);
  if (schema.items !== undefined) return `list of ${typeText(schema.items, link)}${limits(schema)}`;
  if (typeof schema.additionalProperties === 'object') return `object; each value: ${typeText(schema.additionalProperties, link)}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'anything');
  return `${type}${schema.format === undefined ? '' : ` (${schema.format})`}${limits(schema)}`;
}

function enumText(values: readonly unknown[]): string {
  const texts = values.slice(0, VALUES_IN_TABLE).map((value) => code(String(value)));
  const more = values.length - texts.length;
  return more > 0 ? `${texts.join(', ')} and ${more} more` : texts.join(', ');
}

function limits({ minimum, maximum, minLength, maxLength, minItems, maxItems, pattern }: Schema): string {
  const texts = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' entries'),
    pattern === undefined ? '' : `matches ${code(pattern)}`,
  ].filter((text) => text !== '');
  return texts.length === 0 ? '' : `, ${texts.join(', ')}`;
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined) return most === undefined ? '' : `at most ${most}${unit}`;
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
}

/** What a schema says, and the table of its fields, those of objects within it by path (`limits.cpu`, `nodes[].name`). */
export function schemaBody(schema: Schema, link: SchemaLink): string {
  const rows = fieldRows(schema, '', link);
  const text = schema.description === undefined ? '' : `${shown(schema.description)}\n`;
  if (rows.length > 0) return [text, table(['field', 'type', 'needed', 'what it is'], rows)].join('\n');
  return `${text}\n${typeText(schema, link)}\n`;
}

function fieldRows(schema: Schema, prefix: string, link: SchemaLink): string[][] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const row = [code(path), fieldType(field, link), schema.required?.includes(name) === true ? 'yes' : '', fieldText(field)];
    const inner = field.items ?? field;
    return [row, ...fieldRows(inner, `${path}${field.items === undefined ? '' : '[]'}.`, link)];
  });
  return [...own, ...(schema.allOf ?? []).flatMap((part) => (part.$ref === undefined ? fieldRows(part, prefix, link) : []))];
}

function fieldType(field: Schema, link: SchemaLink): string {
  if (field.properties !== undefined) return 'object';
  if (field.items?.properties !== undefined) return `list of objects${limits(field)}`;
  return typeText(field, link);
}

function fieldText({ description, example }: Schema): string {
  const such = example === undefined ? '' : ` Example: ${code(JSON.stringify(example))}.`;
  return `${cell(description ?? '')}${such}`;
}
