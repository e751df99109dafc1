import { childElements } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import type { AttributeType } from './attribute-types.js';

/** How often a child may stand below its parent: once, at most once, any number of times, at least once. */
export type Occurrence = '1' | '?' | '*' | '+';

/** What may stand in an element of the configuration. */
export interface ElementType {
  readonly required?: Readonly<Record<string, AttributeType>>;
  readonly optional?: Readonly<Record<string, AttributeType>>;
  /** Child elements by name; their order is free. A type given here replaces the one registered for the child's name. */
  readonly children?: Readonly<Record<string, { readonly occurs: Occurrence; readonly type?: ElementType }>>;
  /** What the lists above can't say; answers what is wrong. */
  readonly check?: (element: XmlElement) => string | undefined;
}

/** Any number of times. */
export const any = { occurs: '*' } as const;
/** At most once. */
export const maybe = { occurs: '?' } as const;

/** A complaint unless exactly one of these attributes is given. */
export function exactlyOne(element: XmlElement, ...names: readonly string[]): string | undefined {
  const given = names.filter((name) => element.attributes[name] !== undefined);
  return given.length === 1 ? undefined : `needs exactly one of the attributes ${names.join(', ')}`;
}

/** A complaint if more than one of these attributes is given. */
export function atMostOne(element: XmlElement, ...names: readonly string[]): string | undefined {
  const given = names.filter((name) => element.attributes[name] !== undefined);
  return given.length > 1 ? `has ${given.join(' and ')}: only one may be given` : undefined;
}

/** How many child elements have one of these names. */
export function childCount(element: XmlElement, ...names: readonly string[]): number {
  return childElements(element).filter((child) => names.includes(child.name)).length;
}

/** A complaint unless the element either has an id or, with nothing else, stands for another one by `id-ref`. */
export function idOrReference(element: XmlElement): string | undefined {
  const problem = exactlyOne(element, 'id', 'id-ref');
  if (problem !== undefined || element.attributes['id-ref'] === undefined) return problem;
  const alone = Object.keys(element.attributes).length === 1 && childElements(element).length === 0;
  return alone ? undefined : 'stands for another element by id-ref and must have nothing else';
}

/** The sets that most elements may have. */
export const sets = { meta_attributes: any, instance_attributes: any } as const;
