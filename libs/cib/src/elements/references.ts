import { descendants } from '../document/cib-index.js';
import { idReference } from '../schema/attribute-types.js';
import { ELEMENT_TYPES } from '../schema/element-types.js';
import { childrenNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';

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
  Object.entries(ELEMENT_TYPES).map(([name, { required = {}, optional = {} }]) => [
    name,
    [
      ...Object.entries({ ...required, ...optional }).flatMap(([attribute, type]) => (type === idReference ? [attribute] : [])),
      ...(Object.hasOwn(OTHER_REFERENCES, name) ? (OTHER_REFERENCES[name] ?? []) : []),
    ],
  ]),
);

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
  removing.follow();
  return removing.result();
}

class Removing {
  private readonly dropped = new Set<XmlElement>();
  private readonly gone = new Set<string>();
  private readonly referring: Referring[] = [];
  private readonly emptied: Pick<Referring, 'element' | 'id'>[] = [];
  private readonly parents = new Map<XmlElement, XmlElement>();

  constructor(private readonly configuration: XmlElement) {
    for (const parent of descendants(configuration)) {
      for (const child of parent.children) if (child.kind === 'element') this.parents.set(child, parent);
    }
  }

  drop(element: XmlElement): void {
    this.dropped.add(element);
    for (const each of descendants(element)) {
      const { id } = each.attributes;
      if (id !== undefined && hasOwnId(each)) this.gone.add(id.trim());
    }
  }

  /** Until nobody is left who refers to anything that goes. */
  follow(): void {
    for (let before = -1; before !== this.dropped.size;) {
      before = this.dropped.size;
      this.look(this.configuration);
    }
  }

  result(): Removal {
    return { configuration: this.rest(this.configuration), referring: this.referring, emptied: this.emptied };
  }

  private look(element: XmlElement): void {
    for (const child of element.children) {
      if (child.kind === 'comment' || this.dropped.has(child)) continue;
      this.look(child);
      if (this.dropped.has(child)) continue;
      const lost = referencesIn(child).filter(({ to }) => this.gone.has(to));
      if (lost.length > 0) this.lose(child, lost);
      else if (this.isEmptied(child)) this.empty(child);
    }
  }

  private lose(element: XmlElement, lost: ReturnType<typeof referencesIn>): void {
    for (const { attribute, to } of lost) this.tell({ element: element.name, id: this.idOf(element), attribute, to });
    if (element.name === 'fencing-level' && lost.length < referencesIn(element).length) return;
    const parent = this.parents.get(element);
    this.drop(element.name === 'rule' && parent !== undefined ? parent : element);
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

  private empty(element: XmlElement): void {
    this.emptied.push({ element: element.name, id: this.idOf(element) });
    this.drop(element);
  }

  private idOf(element: XmlElement): string {
    for (let at: XmlElement | undefined = element; at !== undefined; at = this.parents.get(at)) {
      if (at.attributes['id'] !== undefined && (hasOwnId(at) || at.name === 'acl_target')) return at.attributes['id'];
    }
    return '';
  }

  private rest(element: XmlElement): XmlElement {
    const children = element.children
      .filter((child) => child.kind === 'comment' || !this.dropped.has(child))
      .map((child) => (child.kind === 'comment' ? child : this.rest(child)));
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
