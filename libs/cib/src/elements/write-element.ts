import type { ElementType, Occurrence } from '../schema/element-type.js';
import { childrenNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { arrangeChildren, type WrittenChild } from './arrange-children.js';
import { hasMadeId, type MadeIds } from './element-ids.js';
import { pointerTo } from './json-pointer.js';
import { isPlainSet } from './show-element.js';
import { attributeTypeOf, childTypeOf, elementTypeOf, NAME_FIELD, SET_NAMES } from './shown-element.js';

/** One thing that keeps JSON from being an element. */
export interface ElementFinding {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly message: string;
}

/** Where an element came from. */
export interface WrittenPlace {
  readonly pointer: string;
  /** It is of a short form: its attributes have no places of their own. */
  readonly short: boolean;
}

export type WrittenPlaces = Map<XmlElement, WrittenPlace>;

export interface WriteElementOptions {
  /** What is written over: of it are kept ids, order, comments, and what the schema does not know. */
  readonly over?: XmlElement;
  readonly ids: MadeIds;
  /** Pointer of the JSON. */
  readonly pointer: string;
  /** Told of every element that is made. */
  readonly places?: WrittenPlaces;
}

export type WrittenElement =
  { readonly ok: true; readonly element: XmlElement } | { readonly ok: false; readonly findings: readonly ElementFinding[] };

/** Deepest nesting of elements; the deepest that makes sense is that of rules. */
const MAX_DEPTH = 64;

/**
 * Makes an element of JSON as `showElement` shows it, of any origin. Short forms and lists are taken alike; ids that are missing are made. All that is wrong in it is told, with its place; references are
 * not looked after.
 *
 * @param name what it has to be
 */
export function writeElement(name: string, json: unknown, options: WriteElementOptions): WrittenElement {
  const type = elementTypeOf(name);
  if (type === undefined) return { ok: false, findings: [{ pointer: options.pointer, message: `there is no element <${name}>` }] };
  const writer = new ElementWriter(options.ids, options.places);
  if (isObject(json)) takeIds(json, options.ids, 0);
  const element = writer.root(name, type, json, options);
  return writer.findings.length === 0 ? { ok: true, element } : { ok: false, findings: writer.findings };
}

type Json = Readonly<Record<string, unknown>>;

/** One child as it is asked for. */
interface AskedChild {
  readonly json: unknown;
  readonly pointer: string;
  /** The type's fields, where they are not the JSON's own: of a short form. */
  readonly fields: Json | undefined;
  readonly short?: true;
}

/** What stands around an element. */
interface Around {
  /** Id of the nearest element around it that has one, list of operations apart. */
  readonly owner: string;
  readonly depth: number;
}

class ElementWriter {
  readonly findings: ElementFinding[] = [];

  constructor(
    private readonly ids: MadeIds,
    private readonly places: WrittenPlaces | undefined,
  ) {}

  root(name: string, type: ElementType, json: unknown, { over, pointer }: WriteElementOptions): XmlElement {
    const fields = isObject(json) ? json : undefined;
    const own = fields && Object.fromEntries(Object.entries(fields).filter(([field]) => field !== NAME_FIELD));
    const asked: AskedChild = { json, pointer, fields: own };
    // Sections have no ids of their own: what is in them is named after them.
    const owner = over?.attributes['id'] ?? name;
    return this.element(name, type, asked, over, { owner, depth: 1 });
  }

  private element(name: string, type: ElementType, asked: AskedChild, over: XmlElement | undefined, around: Around): XmlElement {
    const { pointer, fields } = asked;
    if (fields === undefined) {
      this.find(pointer, 'must be an object');
      return { kind: 'element', name, attributes: {}, children: [] };
    }
    if (around.depth > MAX_DEPTH) {
      this.find(pointer, `elements are nested deeper than ${String(MAX_DEPTH)} levels`);
      return { kind: 'element', name, attributes: {}, children: [] };
    }
    this.unknownFields(name, type, fields, pointer);
    const attributes = this.attributes(name, type, asked, over, around.owner);
    const owner = ownerOf(name, attributes['id'], around.owner);
    const children = this.children(type, asked, over, { owner, depth: around.depth + 1 });
    const element: XmlElement = { kind: 'element', name, attributes, children: arrangeChildren(type, children, over) };
    const wrong = type.check?.(element);
    if (wrong !== undefined && (over === undefined || type.check?.(over) !== wrong)) this.find(pointer, `<${name}> ${wrong}`);
    this.places?.set(element, { pointer, short: asked.short === true });
    return element;
  }

  private unknownFields(name: string, type: ElementType, fields: Json, pointer: string): void {
    const { required = {}, optional = {}, children = {} } = type;
    for (const field of Object.keys(fields)) {
      if (attributeTypeOf(type, field) !== undefined || childTypeOf(type, field) !== undefined) continue;
      const known = [required, optional, children].flatMap((table) => Object.keys(table));
      const which = known.length === 0 ? 'it has no fields' : `known are ${known.join(', ')}`;
      this.find(pointerTo(pointer, field), `"${field}" is not known in <${name}>: ${which}`);
    }
  }

  /** Those that were there first, at their old places. */
  private attributes(
    name: string,
    type: ElementType,
    { fields = {}, pointer, short }: AskedChild,
    over: XmlElement | undefined,
    owner: string,
  ): Record<string, string> {
    const given: Record<string, string> = {};
    for (const [field, value] of Object.entries(fields)) {
      const check = attributeTypeOf(type, field);
      if (check === undefined) continue;
      const place = short === true ? pointer : pointerTo(pointer, field);
      const text = this.text(value, place);
      if (text === undefined) continue;
      const wrong = over?.attributes[field] === text ? undefined : check(text);
      if (wrong !== undefined) this.find(place, wrong);
      given[field] = text;
    }
    const isReference = given['id-ref'] !== undefined;
    const keptId = fields['id'] === undefined && !isReference ? over?.attributes['id'] : undefined;
    if (keptId !== undefined) given['id'] = keptId;
    const attributes: Record<string, string> = {};
    for (const [field, value] of Object.entries(over?.attributes ?? {})) {
      const next = given[field] ?? (attributeTypeOf(type, field) === undefined ? value : undefined);
      if (next !== undefined) attributes[field] = next;
    }
    if (given['id'] === undefined && !isReference && hasMadeId(name)) attributes['id'] = this.ids.make(name, owner, given);
    Object.assign(attributes, given);
    for (const field of Object.keys(type.required ?? {})) {
      if (attributes[field] === undefined && fields[field] === undefined) {
        this.find(pointerTo(pointer, field), `<${name}> needs the attribute ${field}`);
      }
    }
    return attributes;
  }

  private text(value: unknown, pointer: string): string | undefined {
    if (typeof value !== 'string') {
      const example = typeof value === 'number' || typeof value === 'boolean' ? `: write "${String(value)}"` : '';
      this.find(pointer, `must be a text${example}`);
      return undefined;
    }
    if (/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(value)) {
      this.find(pointer, 'holds a character that XML cannot hold');
      return undefined;
    }
    return value;
  }

  private children(
    type: ElementType,
    { fields = {}, pointer, short }: AskedChild,
    over: XmlElement | undefined,
    around: Around,
  ): ReadonlyMap<string, readonly WrittenChild[]> {
    const written = new Map<string, readonly WrittenChild[]>();
    for (const [name, { occurs }] of Object.entries(type.children ?? {})) {
      const childType = childTypeOf(type, name);
      if (childType === undefined) continue;
      const place = short === true ? pointer : pointerTo(pointer, name);
      const present = over === undefined ? [] : childrenNamed(over, name);
      const asked = Object.hasOwn(fields, name) ? this.asked(name, fields[name], place, present, short) : [];
      if (asked === undefined) continue;
      // That it has none is no news where it had none: the whole is validated once more.
      if (over === undefined || present.length > 0 || asked.length > 0) this.count(name, occurs, asked.length, place);
      const matched = matchPresent(name, childType, asked, present);
      written.set(
        name,
        asked.map((child, index) => {
          const before = matched[index];
          return { element: this.element(name, childType, child, before, around), over: before };
        }),
      );
    }
    return written;
  }

  private count(name: string, occurs: Occurrence, count: number, place: string): void {
    if (count > 1 && (occurs === '?' || occurs === '1')) this.find(place, `there can be one <${name}> only`);
    if (count === 0 && (occurs === '+' || occurs === '1')) this.find(place, `at least one <${name}> is needed`);
  }

  /** The children of one name, as lists and short forms give them; undefined for what is neither. */
  private asked(
    name: string,
    json: unknown,
    pointer: string,
    present: readonly XmlElement[],
    short: true | undefined,
  ): readonly AskedChild[] | undefined {
    if (Array.isArray(json)) {
      const list = json.map((child: unknown, index) => askedChild(child, pointerTo(pointer, index)));
      if (name !== 'operations' || list.some(({ fields }) => fields !== undefined && isFullList(fields))) return list;
      return [{ json, pointer, fields: { op: json }, short: true }];
    }
    if (isObject(json) && SET_NAMES.has(name)) {
      const [set] = present;
      if (present.length > 1 || (set !== undefined && !isPlainSet(set))) {
        this.find(pointer, `here are several sets, or one with a rule, a score or references: give the list of <${name}>, as it is read`);
        return undefined;
      }
      return [{ json, pointer, fields: { nvpair: json }, short: true }];
    }
    if (isObject(json) && short === true) return this.pairs(json, pointer);
    this.find(pointer, SET_NAMES.has(name) ? `must be a list of <${name}>, or a map from names to values` : `must be a list of <${name}>`);
    return undefined;
  }

  /** A map from names to values, as pairs. */
  private pairs(json: Json, pointer: string): readonly AskedChild[] {
    return Object.entries(json).flatMap(([name, value]): AskedChild[] => {
      const place = pointerTo(pointer, name);
      if (name === '__proto__') {
        this.find(place, 'a pair of this name can be given in the list only');
        return [];
      }
      return this.text(name, place) === undefined ? [] : [{ json: value, pointer: place, fields: { name, value }, short: true }];
    });
  }

  private find(pointer: string, message: string): void {
    this.findings.push({ pointer, message });
  }
}

/** What ids are made of in an element: those of operations of the resource, whatever the list of them is called; those of nodes as `crm_attribute` makes them. */
function ownerOf(name: string, id: string | undefined, around: string): string {
  if (id === undefined || name === 'operations') return around;
  return name === 'node' ? `nodes-${id}` : id;
}

function askedChild(json: unknown, pointer: string): AskedChild {
  return { json, pointer, fields: isObject(json) ? json : undefined };
}

/** Whether an entry of `operations` is a list of operations with an id or a reference of its own: an operation has neither field. */
function isFullList(fields: Json): boolean {
  return Object.hasOwn(fields, 'op') || Object.hasOwn(fields, 'id-ref');
}

/** Which child that is there each asked one is written over: by id, else by what tells pairs and operations apart, else by place. */
function matchPresent(
  name: string,
  type: ElementType,
  asked: readonly AskedChild[],
  present: readonly XmlElement[],
): readonly (XmlElement | undefined)[] {
  const free = new Set(present);
  const claim = (fits: (element: XmlElement) => boolean): XmlElement | undefined => {
    for (const element of free) {
      if (!fits(element)) continue;
      free.delete(element);
      return element;
    }
    return undefined;
  };
  const byId = asked.map(({ fields = {} }) => {
    const field = typeof fields['id-ref'] === 'string' ? 'id-ref' : 'id';
    const id = fields[field];
    return typeof id === 'string' ? claim(({ attributes }) => attributes[field] === id) : undefined;
  });
  const hasOwnIds = attributeTypeOf(type, 'id') !== undefined && !hasMadeId(name) && name !== 'operations';
  return asked.map(({ fields = {} }, index) => {
    const found = byId[index];
    if (found !== undefined || typeof fields['id'] === 'string' || typeof fields['id-ref'] === 'string' || hasOwnIds) return found;
    return claim(({ attributes }) => tellingFields(name).every((field) => attributes[field] === fields[field]));
  });
}

function tellingFields(name: string): readonly string[] {
  if (name === 'nvpair') return ['name'];
  return name === 'op' ? ['name', 'interval', 'role'] : [];
}

function isObject(json: unknown): json is Json {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** What is given somewhere can be made nowhere else. */
function takeIds(json: unknown, ids: MadeIds, depth: number): void {
  if (typeof json !== 'object' || json === null || depth > 2 * MAX_DEPTH) return;
  if (!Array.isArray(json) && 'id' in json && typeof json.id === 'string') ids.take(json.id);
  for (const value of Object.values(json)) takeIds(value, ids, depth + 1);
}
