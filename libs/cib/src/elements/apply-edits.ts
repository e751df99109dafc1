import { descendants } from '../document/cib-index.js';
import { ELEMENT_TYPES } from '../schema/element-types.js';
import { childElements, element, firstChildNamed } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { strayTextMessage, strayTextsIn } from '../xml/stray-text.js';
import { XmlError } from '../xml/xml-error.js';
import { COLLECTIONS, elementWithId, SETTINGS, type CollectionName, type PlacedElement, type SettingsName } from './collections.js';
import { showConfiguration, WHOLE } from './configuration-document.js';
import {
  MEMBERS_FIELD,
  type CreateElement,
  type DeleteElement,
  type ElementEdit,
  type MoveElement,
  type PatchConfiguration,
  type PatchElement,
  type PatchSettings,
  type ReplaceConfiguration,
  type ReplaceElement,
  type ReplaceSettings,
} from './element-edit.js';
import { MadeIds } from './element-ids.js';
import { applyJsonPatch } from './json-patch.js';
import { pointerTo } from './json-pointer.js';
import { mergePatch } from './merge-patch.js';
import { idLookUp } from './part-index.js';
import { removeWithReferring, type Referring, type Removal } from './references.js';
import { showElement } from './show-element.js';
import { NAME_FIELD } from './shown-element.js';
import { stepsBetween, type ConfigurationStep } from './steps-between.js';
import { writeElement, type ElementFinding, type WrittenPlaces } from './write-element.js';

/** Why an edit can't be made. */
export interface EditFinding extends ElementFinding {
  /** `invalid`: what is asked for is none; `not-found`: there is no such element; `in-use`: others refer to it; `test-failed`: a JSON Patch expects something else. */
  readonly kind: 'invalid' | 'not-found' | 'in-use' | 'test-failed';
  /** Line in the XML that was sent, from 1. */
  readonly line?: number;
  /** Of `in-use`: what is in the way; without an attribute: it would be left empty. */
  readonly inTheWay?: InTheWay;
}

/** What refers to an element, or would have nothing left in it without. */
export type InTheWay = Pick<Referring, 'element' | 'id'> & Partial<Pick<Referring, 'attribute' | 'to'>>;

export type EditedConfiguration =
  | {
      readonly ok: true;
      readonly configuration: XmlElement;
      /** Where in the edits what was written came from. */
      readonly places: WrittenPlaces;
    }
  | { readonly ok: false; readonly findings: readonly EditFinding[] };

/** The field of a resource that says what it is a member of. */
export const PARENT_FIELD = 'parent';

/** A resource's JSON, with what it is a member of. */
export function showPlaced({ element: shown, parent }: PlacedElement): ReturnType<typeof showElement> {
  const within = parentId(parent);
  return { ...showElement(shown), ...(within === undefined ? {} : { [PARENT_FIELD]: within }) };
}

/**
 * Makes edits one after the other, all or none. What comes of them together is not validated.
 *
 * @param pointer of the list of edits: findings tell where in it they are
 */
export function applyElementEdits(configuration: XmlElement, edits: readonly ElementEdit[], pointer: string): EditedConfiguration {
  const editing = new Editing(configuration);
  for (const [index, edit] of edits.entries()) editing.make(edit, pointerTo(pointer, index));
  return editing.result();
}

class Editing {
  private readonly places: WrittenPlaces = new Map();
  private readonly findings: EditFinding[] = [];
  private readonly ids: MadeIds;
  /** What would be there if the edits before were right. */
  private readonly failed = new Set<string>();

  constructor(private configuration: XmlElement) {
    this.ids = new MadeIds(idLookUp(configuration));
  }

  make(edit: ElementEdit, pointer: string): void {
    switch (edit.edit) {
      case 'create':
        this.create(edit, pointer, pointerTo(pointer, 'element'));
        return;
      case 'replace':
        if ('id' in edit) this.replace(edit, pointer, pointerTo(pointer, 'element'));
        else if (edit.collection === WHOLE) this.replaceAll(edit, pointer);
        else this.replaceSettings(edit, pointer, pointerTo(pointer, 'element'));
        return;
      case 'patch':
        if ('id' in edit) this.patch(edit, pointer);
        else if (edit.collection === WHOLE) this.patchAll(edit, pointer);
        else this.patchSettings(edit, pointer);
        return;
      case 'delete':
        this.delete(edit, pointer);
        return;
      case 'move':
        this.move(edit, pointer);
        return;
    }
  }

  result(): EditedConfiguration {
    const { configuration, places, findings } = this;
    return findings.length === 0 ? { ok: true, configuration, places } : { ok: false, findings };
  }

  /** @param place of its element, where that is JSON */
  private create(edit: CreateElement, pointer: string, place: string): void {
    const { collection, before, after } = edit;
    if ('xml' in edit) {
      const added = this.read(edit.xml, COLLECTIONS[collection].elements, pointerTo(pointer, 'xml'));
      const place = this.placeIn(collection, undefined, { before, after }, pointer, pointer);
      if (added !== undefined && place !== undefined) this.add(added, collection, place, pointerTo(pointer, 'xml'));
      return;
    }
    const { element: json } = edit;
    const { elements } = COLLECTIONS[collection];
    if (!isObject(json)) {
      this.find('invalid', place, 'must be an object');
      return;
    }
    const name = json[NAME_FIELD];
    if (typeof name !== 'string' || !(elements as readonly string[]).includes(name)) {
      this.fail(json['id']);
      this.find('invalid', pointerTo(place, NAME_FIELD), `must be one of ${elements.join(', ')}`);
      return;
    }
    const within = json[PARENT_FIELD];
    const around = this.takenIn(name, json, collection, place);
    if (around === undefined) {
      this.fail(json['id']);
      return;
    }
    const written = this.write(name, without(around.json, PARENT_FIELD), place, around.over);
    const target = this.placeIn(
      collection,
      typeof within === 'string' ? within : undefined,
      { before: before ?? (after === undefined && within === undefined ? around.before : undefined), after },
      pointer,
      pointerTo(place, PARENT_FIELD),
    );
    if (within !== undefined && typeof within !== 'string')
      this.find('invalid', pointerTo(place, PARENT_FIELD), 'must be the id of a resource');
    if (written === undefined || target === undefined) {
      this.fail(json['id']);
      return;
    }
    this.add(written, collection, target, pointerTo(place, 'id'));
  }

  /**
   * What a new group, clone or bundle takes in: its JSON with its members, and the element that this is written over, so that all that they have stays. They are taken from where they stand. Undefined, and
   * told, where that can't be.
   */
  private takenIn(name: string, json: Readonly<Record<string, unknown>>, collection: CollectionName, place: string): TakenIn | undefined {
    const asked = Object.hasOwn(json, MEMBERS_FIELD) ? json[MEMBERS_FIELD] : undefined;
    if (asked === undefined) return { json };
    const pointer = pointerTo(place, MEMBERS_FIELD);
    if (
      !CONTAINERS.has(name) ||
      !Array.isArray(asked) ||
      asked.length === 0 ||
      !asked.every((id): id is string => typeof id === 'string')
    ) {
      this.find('invalid', pointer, 'must be a list of ids of resources, of a group, clone or bundle');
      return undefined;
    }
    if (new Set(asked).size !== asked.length) {
      this.find('invalid', pointer, 'names a resource twice');
      return undefined;
    }
    const members = asked.map((id, index) => this.placed(collection, id, pointerTo(pointer, index)));
    if (members.includes(undefined)) return undefined;
    const before = this.nextOutside(members);
    const taken: XmlElement[] = [];
    for (const id of asked) {
      // One that was taken may have been what another one stood in: each is found anew.
      const found = elementWithId(this.configuration, collection, id);
      if (found === undefined) {
        this.find('invalid', pointer, `"${id}" is in another one of these`);
        return undefined;
      }
      taken.push(found.element);
      this.put(found.element, [], found.parent);
    }
    const fields = new Map(Object.entries(without(json, MEMBERS_FIELD)));
    for (const member of taken) {
      const siblings = fields.get(member.name);
      fields.set(member.name, [...(Array.isArray(siblings) ? (siblings as readonly unknown[]) : []), fieldsOfMember(member)]);
    }
    return { json: Object.fromEntries(fields), over: element(name, {}, taken), before };
  }

  /** Of what is made around members, and has no other place: the id of what followed the first of them, so that it stands where that stood. */
  private nextOutside(members: readonly (PlacedElement | undefined)[]): string | undefined {
    const [first] = members;
    if (first === undefined || parentId(first.parent) !== undefined) return undefined;
    const siblings = childElements(first.parent);
    const others = siblings.slice(siblings.indexOf(first.element) + 1);
    return others.find((other) => !members.some((member) => member?.element === other))?.attributes['id'];
  }

  private add(added: XmlElement, collection: CollectionName, target: Target, idPointer: string): void {
    const id = added.attributes['id'];
    const taken = id === undefined ? undefined : elementWithId(this.configuration, collection, id);
    if (taken === undefined) this.insert(added, target);
    else this.find('invalid', idPointer, `"${id ?? ''}" is taken by <${taken.element.name}>: choose another, or replace that`);
  }

  /** An element of XML text; undefined, and told, where that is none of these. */
  private read(text: string, names: readonly string[], pointer: string): XmlElement | undefined {
    try {
      const found = parseXml(text);
      const stray = strayTextsIn(found);
      for (const each of stray) this.findings.push({ kind: 'invalid', pointer, message: strayTextMessage(each), line: each.line });
      if (stray.length > 0) return undefined;
      if (names.includes(found.name)) {
        for (const each of descendants(found)) this.places.set(each, { pointer, short: true });
        return found;
      }
      this.find('invalid', pointer, `must be one of ${names.map((name) => `<${name}>`).join(', ')}`);
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      this.findings.push({ kind: 'invalid', pointer, message: error.message, ...(error.line === undefined ? {} : { line: error.line }) });
    }
    return undefined;
  }

  private replace(edit: ReplaceElement, pointer: string, place: string): void {
    const present = this.lookUp(edit.collection, edit.id, pointer);
    if (present === undefined) return;
    if ('xml' in edit) this.readOver(present, edit.xml, pointerTo(pointer, 'xml'));
    else this.writeOver(present, edit.element, place);
  }

  private readOver({ element: over, parent }: PlacedElement, text: string, pointer: string): void {
    const by = this.read(text, [over.name], pointer);
    if (by === undefined) return;
    const { id } = over.attributes;
    if (over === this.configuration) this.configuration = by;
    else if (by.attributes['id'] === id) this.put(over, [by], parent);
    else this.find('invalid', pointer, `the id is "${id ?? ''}" and stays so: create another element`);
  }

  private patch({ collection, id, patch }: PatchElement, pointer: string): void {
    const present = this.lookUp(collection, id, pointer);
    if (present === undefined) return;
    const json = this.patched(showPlaced(present), patch, pointerTo(pointer, 'patch'));
    if (json !== undefined) this.writeOver(present, json, pointerTo(pointer, 'patch'));
  }

  /** JSON with a merge patch or a JSON Patch applied to it; undefined, and told, where that can't be. */
  private patched(json: unknown, patch: unknown, pointer: string): unknown {
    if (!Array.isArray(patch)) return mergePatch(json, patch);
    const result = applyJsonPatch(json, patch, pointer);
    if (result.ok) return result.json;
    const { kind, pointer: at, message } = result.fault;
    this.find(kind, at, message);
    return undefined;
  }

  private writeOver(present: PlacedElement, json: unknown, place: string): void {
    const { element: over, parent } = present;
    if (!isObject(json)) {
      this.find('invalid', place, 'must be an object');
      return;
    }
    const { name, attributes } = over;
    const stays = { [NAME_FIELD]: name, id: attributes['id'], [PARENT_FIELD]: parentId(parent) };
    for (const [field, value] of Object.entries(stays)) {
      if (json[field] === undefined || json[field] === value) continue;
      const advice = field === PARENT_FIELD ? 'move it' : 'create another element';
      this.find(
        'invalid',
        pointerTo(place, field),
        `is ${value === undefined ? 'nothing' : `"${value}"`} and stays so: leave it out, or ${advice}`,
      );
    }
    const written = this.write(name, without(json, PARENT_FIELD), place, over);
    if (written !== undefined) this.put(over, [written], parent);
  }

  private replaceAll(edit: ReplaceConfiguration, pointer: string): void {
    if ('xml' in edit) this.readOver({ element: this.configuration, parent: this.configuration }, edit.xml, pointerTo(pointer, 'xml'));
    else this.becomes(edit.element, pointerTo(pointer, 'element'));
  }

  private patchAll({ patch }: PatchConfiguration, pointer: string): void {
    const place = pointerTo(pointer, 'patch');
    const json = this.patched(showConfiguration(this.configuration), patch, place);
    if (json !== undefined) this.becomes(json, place);
  }

  /** Makes the configuration that of a document. @param place of the document */
  private becomes(document: unknown, place: string): void {
    const between = stepsBetween(showConfiguration(this.configuration), document, place);
    if (between.ok) for (const step of between.steps) this.take(step);
    else for (const { pointer: at, message } of between.findings) this.find('invalid', at, message);
  }

  private take({ edit, pointer: place }: ConfigurationStep): void {
    if (edit.edit === 'create') this.create(edit, place, place);
    else if (edit.edit === 'replace' && 'id' in edit) this.replace(edit, place, place);
    else if (edit.edit === 'replace' && edit.collection !== WHOLE) this.replaceSettings(edit, place, place);
    else this.make(edit, place);
  }

  private replaceSettings(edit: ReplaceSettings, pointer: string, place: string): void {
    const { collection } = edit;
    if ('xml' in edit)
      this.readOver({ element: this.section(SETTINGS[collection]), parent: this.configuration }, edit.xml, pointerTo(pointer, 'xml'));
    else this.writeSettings(collection, edit.element, place);
  }

  private patchSettings({ collection, patch }: PatchSettings, pointer: string): void {
    const present = this.section(SETTINGS[collection]);
    const json = this.patched(showElement(present), patch, pointerTo(pointer, 'patch'));
    if (json !== undefined) this.writeSettings(collection, json, pointerTo(pointer, 'patch'));
  }

  private writeSettings(collection: SettingsName, json: unknown, place: string): void {
    const name = SETTINGS[collection];
    const given = isObject(json) ? json[NAME_FIELD] : undefined;
    if (given !== undefined && given !== name)
      this.find('invalid', pointerTo(place, NAME_FIELD), `is "${name}" and stays so: leave it out`);
    const present = this.section(name);
    const written = this.write(name, json, place, present);
    if (written !== undefined) this.put(present, [written], this.configuration);
  }

  private delete({ collection, id, cascade }: DeleteElement, pointer: string): void {
    const present = this.lookUp(collection, id, pointer);
    if (present === undefined) return;
    const removal = removeWithReferring(this.configuration, present.element);
    if (cascade === true) {
      this.configuration = removal.configuration;
      return;
    }
    for (const found of whatIsInTheWay(id, removal)) this.findings.push({ kind: 'in-use', pointer: pointerTo(pointer, 'id'), ...found });
    if (removal.referring.length === 0 && removal.emptied.length === 0) this.put(present.element, [], present.parent);
  }

  private move({ collection, id, parent, before, after }: MoveElement, pointer: string): void {
    const present = this.lookUp(collection, id, pointer);
    const target = this.placeIn(collection, parent, { before, after }, pointer, pointerTo(pointer, PARENT_FIELD));
    if (present === undefined || target === undefined) return;
    if (target.sibling === present.element) return;
    if (contains(present.element, target.parent)) {
      this.find('invalid', pointerTo(pointer, PARENT_FIELD), `"${id}" can't become a member of itself`);
      return;
    }
    // Its new parent may be on the way to its old one: each is found anew by what it is called.
    this.put(present.element, [], present.parent);
    const again = this.placeIn(collection, parent, { before, after }, pointer, pointerTo(pointer, PARENT_FIELD));
    if (again !== undefined) this.insert(present.element, again);
  }

  private write(name: string, json: unknown, pointer: string, over: XmlElement | undefined): XmlElement | undefined {
    const { ids, places } = this;
    const written = writeElement(name, json, { ids, places, pointer, ...(over === undefined ? {} : { over }) });
    if (written.ok) return written.element;
    for (const { pointer: at, message } of written.findings) this.find('invalid', at, message);
    return undefined;
  }

  private lookUp(collection: CollectionName, id: string, pointer: string): PlacedElement | undefined {
    const found = elementWithId(this.configuration, collection, id);
    if (found === undefined && !this.failed.has(id)) {
      this.find('not-found', pointerTo(pointer, 'id'), `there is nothing with the id "${id}" in ${collection}`);
    }
    return found;
  }

  /** Where something goes; undefined, and told, where it can't. */
  private placeIn(
    collection: CollectionName,
    parent: string | undefined,
    { before, after }: { readonly before: string | undefined; readonly after: string | undefined },
    pointer: string,
    parentPointer: string,
  ): Target | undefined {
    const field = before === undefined ? 'after' : 'before';
    const sibling = before ?? after;
    if (before !== undefined && after !== undefined) {
      this.find('invalid', pointerTo(pointer, 'after'), 'give either before or after');
      return undefined;
    }
    const beside = sibling === undefined ? undefined : this.placed(collection, sibling, pointerTo(pointer, field));
    const within = parent === undefined ? undefined : this.placed(collection, parent, parentPointer);
    if ((sibling !== undefined && beside === undefined) || (parent !== undefined && within === undefined)) return undefined;
    const container = within?.element ?? beside?.parent ?? this.section(COLLECTIONS[collection].section);
    if (beside !== undefined && beside.parent !== container) {
      this.find('invalid', pointerTo(pointer, field), `"${sibling ?? ''}" does not stand there`);
      return undefined;
    }
    return { parent: container, sibling: beside?.element, field };
  }

  private placed(collection: CollectionName, id: string, pointer: string): PlacedElement | undefined {
    const found = elementWithId(this.configuration, collection, id);
    if (found === undefined && !this.failed.has(id)) this.find('invalid', pointer, `there is nothing with the id "${id}" in ${collection}`);
    return found;
  }

  private insert(added: XmlElement, { parent, sibling, field }: Target): void {
    const children = [...parent.children];
    const at = sibling === undefined ? children.length : children.indexOf(sibling) + (field === 'after' ? 1 : 0);
    children.splice(at, 0, added);
    this.replaceAnywhere(parent, { ...parent, children });
  }

  /** Puts others in the place of a child. */
  private put(child: XmlElement, by: readonly XmlNode[], parent: XmlElement): void {
    const at = parent.children.indexOf(child);
    this.replaceAnywhere(parent, { ...parent, children: parent.children.toSpliced(at, 1, ...by) });
  }

  /** The place of a written element that gets other children stays known. */
  private replaceAnywhere(old: XmlElement, by: XmlElement): void {
    const place = this.places.get(old);
    if (place !== undefined) this.places.set(by, place);
    if (old === this.configuration) {
      this.configuration = by;
      return;
    }
    const parent = parentOf(this.configuration, old);
    if (parent !== undefined) this.put(old, [by], parent);
  }

  /** The section of that name; made where there is none yet. */
  private section(name: string): XmlElement {
    const found = firstChildNamed(this.configuration, name);
    if (found !== undefined) return found;
    const made = element(name);
    const order = Object.keys(ELEMENT_TYPES['configuration']?.children ?? {});
    const later = new Set(order.slice(order.indexOf(name) + 1));
    const { children } = this.configuration;
    const place = children.findIndex((child) => child.kind === 'element' && later.has(child.name));
    this.configuration = { ...this.configuration, children: children.toSpliced(place < 0 ? children.length : place, 0, made) };
    return made;
  }

  private fail(id: unknown): void {
    if (typeof id === 'string') this.failed.add(id);
  }

  private find(kind: EditFinding['kind'], pointer: string, message: string): void {
    this.findings.push({ kind, pointer, message });
  }
}

/** What a new group, clone or bundle is made of. */
interface TakenIn {
  readonly json: Readonly<Record<string, unknown>>;
  /** With its members as they are; undefined where it takes nothing in. */
  readonly over?: XmlElement;
  /** Id of what it goes before, where nothing else is said. */
  readonly before?: string | undefined;
}

interface Target {
  readonly parent: XmlElement;
  readonly sibling: XmlElement | undefined;
  /** On which side of the sibling. */
  readonly field: 'before' | 'after';
}

/** As it stands in the list of what it is a member of. */
function fieldsOfMember(member: XmlElement): Readonly<Record<string, unknown>> {
  return without(showElement(member), NAME_FIELD);
}

function whatIsInTheWay(id: string, { referring, emptied }: Removal): readonly Required<Pick<EditFinding, 'message' | 'inTheWay'>>[] {
  const advice = 'change that first, or delete with cascade';
  return [
    ...referring.map((each) => ({
      message: `<${each.element}> ${each.id} refers to "${each.to}" (${each.attribute}): ${advice}`,
      inTheWay: each,
    })),
    ...emptied.map((each) => ({
      message: `<${each.element}> ${each.id} would have nothing left in it without "${id}": ${advice}`,
      inTheWay: each,
    })),
  ];
}

/** The id of what a member stands in; undefined for a section. */
function parentId(parent: XmlElement): string | undefined {
  return parent.attributes['id'];
}

/** What an element of a section, or of a resource there, stands in. */
function parentOf(root: XmlElement, wanted: XmlElement): XmlElement | undefined {
  if (root.children.includes(wanted)) return root;
  for (const child of childElements(root)) {
    // Only sections and resources hold what is addressed.
    const found = CONTAINERS.has(child.name) ? parentOf(child, wanted) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const CONTAINERS: ReadonlySet<string> = new Set(['resources', 'group', 'clone', 'bundle']);

function contains(container: XmlElement, wanted: XmlElement): boolean {
  return container === wanted || childElements(container).some((child) => contains(child, wanted));
}

function without(fields: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
