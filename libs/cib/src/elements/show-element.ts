import type { ElementType } from '../schema/element-type.js';
import { childElements, childrenNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import {
  attributeTypeOf,
  childTypeOf,
  elementTypeOf,
  SET_NAMES,
  type ShownElement,
  type ShownField,
  type ShownFields,
} from './shown-element.js';

/**
 * An element of the configuration as JSON, derived from its type in the schema: attributes as fields of Pacemaker's spelling, children as lists under their name. One plain
 * set of pairs is a map from name to value, and one list of operations a list of these. What the schema does not know, comments too, is left out; whatever is written over the
 * element keeps it.
 */
export function showElement(element: XmlElement): ShownElement {
  const type = elementTypeOf(element.name);
  return { element: element.name, ...(type === undefined ? {} : fieldsOf(element, type)) };
}

function fieldsOf(element: XmlElement, type: ElementType): ShownFields {
  const fields: Record<string, ShownField> = {};
  for (const [name, value] of Object.entries(element.attributes)) {
    if (attributeTypeOf(type, name) !== undefined) fields[name] = value;
  }
  for (const name of Object.keys(type.children ?? {})) {
    const children = childrenNamed(element, name);
    const childType = childTypeOf(type, name);
    if (children.length > 0 && childType !== undefined) fields[name] = childrenShown(name, children, childType);
  }
  return fields;
}

function childrenShown(name: string, children: readonly XmlElement[], type: ElementType): ShownField {
  const [only] = children;
  if (only !== undefined && children.length === 1) {
    if (SET_NAMES.has(name) && isPlainSet(only)) return mapOf(only);
    if (name === 'operations' && isPlainList(only)) {
      const op = childTypeOf(type, 'op');
      if (op !== undefined) return childElements(only).map((child) => fieldsOf(child, op));
    }
  }
  return children.map((child) => fieldsOf(child, type));
}

/** Whether a set is no more than a map from names to values: no rule, no score, no reference, each name once. */
export function isPlainSet(set: XmlElement): boolean {
  if (!hasExactly(set, ['id'])) return false;
  const pairs = childElements(set);
  const names = new Set(pairs.map(({ attributes }) => attributes['name']));
  return (
    names.size === pairs.length && !names.has('__proto__') && pairs.every((pair) => pair.name === 'nvpair' && hasExactly(pair, PAIR_FIELDS))
  );
}

const PAIR_FIELDS = ['id', 'name', 'value'];

function isPlainList(operations: XmlElement): boolean {
  return Object.keys(operations.attributes).every((name) => name === 'id') && childElements(operations).every(({ name }) => name === 'op');
}

function mapOf(set: XmlElement): ShownFields {
  return Object.fromEntries(childElements(set).map(({ attributes: { name = '', value = '' } }) => [name, value]));
}

function hasExactly({ attributes }: XmlElement, names: readonly string[]): boolean {
  return Object.keys(attributes).length === names.length && names.every((name) => attributes[name] !== undefined);
}
