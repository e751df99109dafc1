import { ELEMENT_TYPES } from '../schema/element-types.js';
import type { ElementType } from '../schema/element-type.js';

/** What an element's field holds: an attribute's text; its children of one name; or a short form of these. */
export type ShownField = string | ShownFields | readonly ShownFields[];

/** An element's attributes and children as fields, as its type in the schema names them. */
export interface ShownFields {
  readonly [field: string]: ShownField;
}

/** An element of the configuration as JSON, with its name in the field {@link NAME_FIELD}. */
export type ShownElement = ShownFields & { readonly element: string };

/** The field that tells what an element is. No attribute and no child has this name (`kind` is an attribute of orders). */
export const NAME_FIELD = 'element';

/** Elements whose only child list may be shown as a plain map from name to value. */
export const SET_NAMES: ReadonlySet<string> = new Set(['cluster_property_set', 'meta_attributes', 'instance_attributes', 'utilization']);

/** What the schema says of an element of that name; undefined for a name that it does not know. */
export function elementTypeOf(name: string): ElementType | undefined {
  return Object.hasOwn(ELEMENT_TYPES, name) ? ELEMENT_TYPES[name] : undefined;
}

/** What the schema says of a child; undefined where it must not stand. */
export function childTypeOf(type: ElementType, name: string): ElementType | undefined {
  const { children = {} } = type;
  if (!Object.hasOwn(children, name)) return undefined;
  return children[name]?.type ?? elementTypeOf(name);
}

/** The type of an element's attribute; undefined for one that it can't have. */
export function attributeTypeOf({ required = {}, optional = {} }: ElementType, name: string) {
  if (Object.hasOwn(required, name)) return required[name];
  return Object.hasOwn(optional, name) ? optional[name] : undefined;
}
