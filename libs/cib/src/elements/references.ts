import { descendants } from '../document/cib-index.js';
import { idReference } from '../schema/attribute-types.js';
import type { ElementType } from '../schema/element-type.js';
import { ELEMENT_TYPES } from '../schema/element-types.js';
import { perPart } from '../document/per-part.js';
import { childElements, childrenNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';
import { idsInPart, partsOf } from './part-index.js';

/** An element that refers to another one. */
export interface Referring {
  /** The element's name, e.g. `rsc_location`. */
  readonly element: string;
  /** Its id; that of what it stands in where it has none of its own (`resource_ref`, `obj_ref`, `role`, a reference to a set). */
  readonly id: string;
  readonly attribute: string;
  /** What it refers to. */
  readonly to: string;
}

/** What goes together with an element. */
export interface Removal {
  /** The configuration without all of it. */
  readonly configuration: XmlElement;
  /** Who refers to what goes: it is taken along, and so is what that leaves empty. */
  readonly referring: readonly Referring[];
  /** What would be left with nothing in it, and is taken along. */
  readonly emptied: readonly Pick<Referring, 'element' | 'id'>[];
}

/** Attributes that refer to an id and are of no such type: one or several names of any elements. */
const OTHER_REFERENCES: Readonly<Record<string, readonly string[]>> = { obj_ref: ['id'], 'fencing-level': ['devices'] };

/** By element the attributes that refer to ids, as the schema says. */
const REFERENCES: ReadonlyMap<string, readonly string[]> = new Map(
  [...typesByName()].map(([name, { required = {}, optional = {} }]) => [
    name,
    [
      ...Object.entries({ ...required, ...optional }).flatMap(([attribute, type]) => (type === idReference ? [attribute] : [])),
      ...(Object.hasOwn(OTHER_REFERENCES, name) ? (OTHER_REFERENCES[name] ?? []) : []),
    ],
  ]),
);

/** Types of elements by name, with those that are said where they may stand only; where a name has several, these have the same attributes. */
function typesByName(): ReadonlyMap<string, ElementType> {
  const types = new Map(Object.entries(ELEMENT_TYPES));
  const pending = [...types.values()];
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    for (const [name, { type: own }] of Object.entries(type.children ?? {})) {
      if (own === undefined || types.has(name)) continue;
      types.set(name, own);
      pending.push(own);
    }
  }
  return types;
}

/** Elements whose `id` is no id of their own, or is unique among their like only. */
const WITHOUT_OWN_ID = new Set(['obj_ref', 'resource_ref', 'role', 'node', 'acl_target']);

/** Whether the `id` of an element is what others refer to it by. */
export function hasOwnId({ name, attributes }: XmlElement): boolean {
  return attributes['id'] !== undefined && !WITHOUT_OWN_ID.has(name);
}

/** Each id that an element refers to, and by which attribute. */
export function referencesIn({ name, attributes }: XmlElement): readonly { readonly attribute: string; readonly to: string }[] {
  return (REFERENCES.get(name) ?? []).flatMap((attribute) => {
    const value = attributes[attribute];
    if (value === undefined) return [];
    const ids = attribute === 'devices' ? value.split(',') : [value];
    return ids.map((id) => ({ attribute, to: id.trim() }));
  });
}

/** What must not be left without any of these children. */
const NEEDS_ONE_OF: Readonly<Record<string, readonly string[]>> = {
  resource_set: ['resource_ref'],
  tag: ['obj_ref'],
  group: ['primitive'],
  clone: ['primitive', 'group'],
  rsc_location: ['resource_set'],
  rsc_colocation: ['resource_set'],
  rsc_order: ['resource_set'],
  rsc_ticket: ['resource_set'],
};

/**
 * The configuration without an element, without those that refer to it or to anything in it, and so on. Of a constraint, a tag or a set goes what refers, and the whole when nothing is left; of a fencing
 * level the device. A primitive goes with its template, and what is decided by a rule with that rule: without it it would hold always.
 *
 * @param target an element of the configuration itself
 */
export function removeWithReferring(configuration: XmlElement, target: XmlElement): Removal {
  const removing = new Removing(configuration);
  removing.drop(target);
  removing.follow(target);
  return removing.result();
}

/** All that a part refers to. */
const referredIn = perPart((part): ReadonlySet<string> => {
  const ids = new Set<string>();
  for (const element of descendants(part)) for (const { to } of referencesIn(element)) ids.add(to);
  return ids;
});

class Removing {
  private readonly dropped = new Set<XmlElement>();
  private readonly gone = new Set<string>();
  /** Parts in which something may go. */
  private readonly touched = new Set<XmlElement>();
  private readonly referring: Referring[] = [];
  private readonly emptied: Pick<Referring, 'element' | 'id'>[] = [];

  constructor(private readonly configuration: XmlElement) {}

  drop(element: XmlElement): void {
    this.dropped.add(element);
    for (const each of descendants(element)) {
      const { id } = each.attributes;
      if (id !== undefined && hasOwnId(each)) this.gone.add(id.trim());
    }
  }

  /** Until nobody is left who refers to anything that goes. */
  follow(target: XmlElement): void {
    const { id } = target.attributes;
    for (const part of partsOf(this.configuration)) {
      if ((id === undefined || idsInPart(part).has(id)) && holds(part, target)) this.touched.add(part);
    }
    for (let before = -1; before !== this.dropped.size;) {
      before = this.dropped.size;
      for (const section of childElements(this.configuration)) {
        for (const part of childElements(section)) {
          if (refersToAny(part, this.gone)) this.touched.add(part);
          if (this.touched.has(part)) this.look(part, [section]);
        }
      }
    }
  }

  result(): Removal {
    return { configuration: this.rest(this.configuration, 0), referring: this.referring, emptied: this.emptied };
  }

  /** @param around what it stands in, the nearest last */
  private look(element: XmlElement, around: readonly XmlElement[]): void {
    if (this.dropped.has(element)) return;
    for (const child of childElements(element)) this.look(child, [...around, element]);
    if (this.dropped.has(element)) return;
    const lost = referencesIn(element).filter(({ to }) => this.gone.has(to));
    if (lost.length > 0) this.lose(element, lost, around);
    else if (this.isEmptied(element)) {
      this.emptied.push({ element: element.name, id: idWithin(element, around) });
      this.drop(element);
    }
  }

  private lose(element: XmlElement, lost: ReturnType<typeof referencesIn>, around: readonly XmlElement[]): void {
    for (const { attribute, to } of lost) this.tell({ element: element.name, id: idWithin(element, around), attribute, to });
    if (element.name === 'fencing-level' && lost.length < referencesIn(element).length) return;
    this.drop(element.name === 'rule' ? (around.at(-1) ?? element) : element);
  }

  /** A level that keeps some of its devices is looked at each time. */
  private tell(referring: Referring): void {
    const isTold = this.referring.some(
      ({ element, id, attribute, to }) =>
        element === referring.element && id === referring.id && attribute === referring.attribute && to === referring.to,
    );
    if (!isTold) this.referring.push(referring);
  }

  private isEmptied(element: XmlElement): boolean {
    const names = Object.hasOwn(NEEDS_ONE_OF, element.name) ? (NEEDS_ONE_OF[element.name] ?? []) : [];
    const present = names.flatMap((name) => childrenNamed(element, name));
    return present.length > 0 && present.every((child) => this.dropped.has(child));
  }

  /** @param depth 0 for the configuration, 1 for a section, 2 for a part: of these only the touched ones are other than before */
  private rest(element: XmlElement, depth: number): XmlElement {
    if (depth === 2 && !this.touched.has(element)) return element;
    const children = element.children
      .filter((child) => child.kind === 'comment' || !this.dropped.has(child))
      .map((child) => (child.kind === 'comment' ? child : this.rest(child, depth + 1)));
    const same = children.length === element.children.length && children.every((child, index) => child === element.children[index]);
    return this.withoutGoneDevices(same ? element : { ...element, children });
  }

  private withoutGoneDevices(element: XmlElement): XmlElement {
    const { devices } = element.attributes;
    if (element.name !== 'fencing-level' || devices === undefined) return element;
    const left = devices.split(',').filter((device) => !this.gone.has(device.trim()));
    return withAttributes(element, { devices: left.join(',') });
  }
}

function refersToAny(part: XmlElement, ids: ReadonlySet<string>): boolean {
  for (const id of referredIn(part)) if (ids.has(id)) return true;
  return false;
}

function holds(container: XmlElement, wanted: XmlElement): boolean {
  return container === wanted || childElements(container).some((child) => holds(child, wanted));
}

/** What an element without an id of its own is called by. */
function idWithin(element: XmlElement, around: readonly XmlElement[]): string {
  const named = [...around, element].findLast((at) => at.attributes['id'] !== undefined && (hasOwnId(at) || at.name === 'acl_target'));
  return named?.attributes['id'] ?? '';
}
