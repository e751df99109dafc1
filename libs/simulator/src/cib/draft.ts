import type { XmlElement, XmlNode } from '@systole/cib';

/**
 * An element of the working CIB under change. Children become drafts when they are asked for; whatever is not touched is shared with the
 * original tree, so that a simulation of a large cluster copies only what it changes.
 */
export class Draft {
  private attributes: Readonly<Record<string, string>> | undefined;
  private children: (XmlNode | Draft)[] | undefined;
  /** Place of the first child of each name and id. */
  private places: Map<string, Map<string, number>> | undefined;
  /** Ids that occur more than once, by name. */
  private readonly repeated = new Map<string, Set<string>>();

  constructor(private readonly original: XmlElement) {}

  get name(): string {
    return this.original.name;
  }

  get(attribute: string): string | undefined {
    return (this.attributes ?? this.original.attributes)[attribute];
  }

  set(attribute: string, value: string): void {
    this.attributes = { ...(this.attributes ?? this.original.attributes), [attribute]: value };
  }

  setAll(attributes: Readonly<Record<string, string>>): void {
    this.attributes = { ...(this.attributes ?? this.original.attributes), ...attributes };
  }

  /** The first child of that name. */
  first(name: string): Draft | undefined {
    return this.draftAt(this.content().findIndex((child) => isElement(child) && child.name === name));
  }

  /** The first child of that name, appended when there is none. */
  firstOrNew(name: string, attributes: Readonly<Record<string, string>> = {}): Draft {
    return this.first(name) ?? this.append({ kind: 'element', name, attributes, children: [] });
  }

  /** The first child of that name with that id. */
  byId(name: string, id: string): Draft | undefined {
    return this.draftAt(this.placeOf(name, id));
  }

  /** The child of that name with that id, if there is just one. */
  onlyById(name: string, id: string): Draft | undefined {
    const place = this.placeOf(name, id);
    return this.repeated.get(name)?.has(id) === true ? undefined : this.draftAt(place);
  }

  /** The first child of that name whose attributes satisfy the test. */
  find(name: string, test: (get: (attribute: string) => string | undefined) => boolean): Draft | undefined {
    return this.draftAt(
      this.content().findIndex((child) => isElement(child) && child.name === name && test((attribute) => attributeOf(child, attribute))),
    );
  }

  /** Every child of that name. */
  all(name: string): Draft[] {
    const places = this.content().flatMap((child, place) => (isElement(child) && child.name === name ? [place] : []));
    return places.map((place) => this.draftAt(place)).filter((draft) => draft !== undefined);
  }

  /** Child elements of that name, as they are now. */
  named(name: string): XmlElement[] {
    return this.content()
      .filter((child) => isElement(child) && child.name === name)
      .map((child) => (child instanceof Draft ? child.finish() : child))
      .filter((child) => child.kind === 'element');
  }

  append(element: XmlElement): Draft {
    const child = new Draft(element);
    this.children ??= [...this.original.children];
    this.children.push(child);
    if (this.places) this.index(this.places, child, this.children.length - 1);
    return child;
  }

  /** Removes every child of that name. */
  remove(name: string): void {
    this.children = this.content().filter((child) => !isElement(child) || child.name !== name);
    this.places = undefined;
  }

  finish(): XmlElement {
    if (!this.attributes && !this.children) return this.original;
    const children = this.children?.map((child) => (child instanceof Draft ? child.finish() : child));
    return {
      kind: 'element',
      name: this.name,
      attributes: this.attributes ?? this.original.attributes,
      children: children ?? this.original.children,
    };
  }

  /** Replaces the content by what the function makes of it; false when that is the same element. */
  rewrite(change: (element: XmlElement) => XmlElement): boolean {
    const before = this.finish();
    const after = change(before);
    if (after === before) return false;
    this.attributes = after.attributes;
    this.children = [...after.children];
    this.places = undefined;
    return true;
  }

  private content(): readonly (XmlNode | Draft)[] {
    return this.children ?? this.original.children;
  }

  private draftAt(place: number): Draft | undefined {
    const child = this.content()[place];
    if (child instanceof Draft) return child;
    if (child?.kind !== 'element') return undefined;
    const draft = new Draft(child);
    this.children ??= [...this.original.children];
    this.children[place] = draft;
    return draft;
  }

  private placeOf(name: string, id: string): number {
    if (!this.places) {
      this.places = new Map();
      this.repeated.clear();
      for (const [place, child] of this.content().entries()) if (isElement(child)) this.index(this.places, child, place);
    }
    return this.places.get(name)?.get(id) ?? -1;
  }

  private index(places: Map<string, Map<string, number>>, child: XmlElement | Draft, place: number): void {
    const id = attributeOf(child, 'id');
    if (id === undefined) return;
    const { name } = child;
    const byId = places.get(name) ?? new Map<string, number>();
    places.set(name, byId);
    if (!byId.has(id)) byId.set(id, place);
    else this.repeated.set(name, (this.repeated.get(name) ?? new Set<string>()).add(id));
  }
}

/** An element without those of its child elements whose attributes satisfy the test; the same one when there is none. */
export function withoutChildren(element: XmlElement, test: (attributes: Readonly<Record<string, string>>) => boolean): XmlElement {
  const children = element.children.filter((child) => child.kind !== 'element' || !test(child.attributes));
  return children.length === element.children.length ? element : { ...element, children };
}

function isElement(child: XmlNode | Draft): child is XmlElement | Draft {
  return child instanceof Draft || child.kind === 'element';
}

function attributeOf(child: XmlElement | Draft, attribute: string): string | undefined {
  return child instanceof Draft ? child.get(attribute) : child.attributes[attribute];
}
