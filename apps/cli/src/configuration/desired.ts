import { COLLECTION_NAMES, collectionOf, mergePatch, sameJson, SETTINGS, SETTINGS_NAMES, type CollectionName } from '@systole/cib';
import { UsageError } from '../exit-code.js';
import type { Fields } from './requests.js';

/** A configuration's elements, or some of them, by collection; options and defaults by section. */
export type Desired = Fields;

const MEMBER_FIELDS = ['primitive', 'group'] as const;

/**
 * What a file wants: a document by collection, one element, or a list of elements.
 *
 * @throws {UsageError} for anything else
 */
export function desiredIn(json: unknown): Desired {
  if (Array.isArray(json)) return byCollection(json);
  if (!isFields(json)) throw new UsageError('the file holds no element, no list of elements and no document by collection');
  return 'element' in json ? byCollection([json]) : json;
}

function byCollection(elements: readonly unknown[]): Desired {
  const document: Record<string, unknown> = {};
  for (const [index, one] of elements.entries()) {
    const name = isFields(one) && typeof one['element'] === 'string' ? one['element'] : undefined;
    const settings = SETTINGS_NAMES.find((known) => SETTINGS[known] === name);
    const collection = name === undefined ? undefined : collectionOf(name);
    if (!isFields(one) || (settings === undefined && collection === undefined)) {
      throw new UsageError(`element ${String(index + 1)}: the field "element" has to say what it is, e.g. primitive or rsc_location`);
    }
    if (settings !== undefined) document[settings] = without(one, 'element');
    else if (collection !== undefined) document[collection] = [...listOf(document[collection]), one];
  }
  return document;
}

/**
 * A configuration with what is desired in it: elements are put in the place of those of their ids, or added; options that are named are set.
 *
 * @param prune what the collections of the desired document hold besides is left out, and so are other options
 */
export function withDesired(present: Fields, desired: Desired, prune: boolean): Fields {
  const merged = new Map(Object.entries(present));
  for (const [name, wanted] of Object.entries(desired)) {
    const collection = COLLECTION_NAMES.find((known) => known === name);
    if (collection === undefined || !Array.isArray(wanted)) {
      merged.set(name, prune || !SETTINGS_NAMES.some((known) => known === name) ? wanted : mergePatch(present[name] ?? {}, wanted));
      continue;
    }
    merged.set(name, prune ? wanted.map((one: unknown) => inPlace(one)) : withElements(listOf(present[name]), wanted, collection));
  }
  return Object.fromEntries(merged);
}

/** Where a member says what it is one of, it stands there already. */
function inPlace(element: unknown): unknown {
  return isFields(element) ? without(element, 'parent') : element;
}

function withElements(present: readonly Fields[], wanted: readonly unknown[], collection: CollectionName): readonly unknown[] {
  let list: readonly unknown[] = present;
  for (const element of wanted) {
    if (!isFields(element)) list = [...list, element];
    else list = collection === 'resources' ? withResource(list, element) : withElement(list, element);
  }
  return list;
}

/** Without an id, one that says the same is taken for it: so what is applied twice is there once. */
function withElement(list: readonly unknown[], element: Fields): readonly unknown[] {
  const { id } = element;
  const at = list.findIndex((one) => isFields(one) && (id === undefined ? sameJson(without(one, 'id'), element) : one['id'] === id));
  if (at < 0) return [...list, element];
  return id === undefined ? list : list.with(at, element);
}

/** A resource stands where it says (`parent`), else where it stands now, else at the end; what it holds now stands nowhere else. */
function withResource(list: readonly unknown[], resource: Fields): readonly unknown[] {
  const { parent, ...own } = resource;
  const id = typeof own['id'] === 'string' ? own['id'] : '';
  const inside = idsWithin(own);
  const others = withoutMembers(list, inside, id);
  const placed = parentOfMember(others, id);
  if (typeof parent === 'string' && placed !== parent) {
    return intoParent(withoutMembers(others, new Set([id]), undefined), parent, own);
  }
  if (placed !== undefined && parent !== null) return replaceMember(others, id, own);
  const outside = placed === undefined ? others : withoutMembers(others, new Set([id]), undefined);
  const at = outside.findIndex((one) => isFields(one) && one['id'] === id);
  return at < 0 ? [...outside, own] : outside.with(at, own);
}

function idsWithin(resource: Fields): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const field of MEMBER_FIELDS) {
    for (const member of listOf(resource[field])) {
      if (typeof member['id'] === 'string') ids.add(member['id']);
      for (const id of idsWithin(member)) ids.add(id);
    }
  }
  return ids;
}

/** @param keep of this one what is in it is left alone: all of it will be put in its place */
function withoutMembers(list: readonly unknown[], ids: ReadonlySet<string>, keep: string | undefined): readonly unknown[] {
  if (ids.size === 0) return list;
  return list.flatMap((one) => {
    if (!isFields(one) || (keep !== undefined && one['id'] === keep)) return [one];
    return typeof one['id'] === 'string' && ids.has(one['id']) ? [] : [mapMembers(one, (members) => withoutMembers(members, ids, keep))];
  });
}

function mapMembers(resource: Fields, change: (members: readonly unknown[], field: string) => readonly unknown[]): Fields {
  const changed = MEMBER_FIELDS.flatMap((field) =>
    Array.isArray(resource[field]) ? [[field, change(listOf(resource[field]), field)] as const] : [],
  );
  return changed.length === 0 ? resource : { ...resource, ...Object.fromEntries(changed) };
}

/** The id of what a resource is a member of; undefined for one that stands by itself, or is not there. */
function parentOfMember(list: readonly unknown[], id: string, within?: string): string | undefined {
  for (const one of list) {
    if (!isFields(one)) continue;
    if (one['id'] === id) return within;
    const own = typeof one['id'] === 'string' ? one['id'] : undefined;
    const found = MEMBER_FIELDS.map((field) => parentOfMember(listOf(one[field]), id, own)).find((parent) => parent !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function replaceMember(list: readonly unknown[], id: string, by: Fields): readonly unknown[] {
  return list.map((one) => {
    if (!isFields(one)) return one;
    return mapMembers(one, (members) =>
      replaceMember(
        members.map((member) => (isFields(member) && member['id'] === id ? without(by, 'element') : member)),
        id,
        by,
      ),
    );
  });
}

/** @throws {UsageError} for a parent that is not there */
function intoParent(list: readonly unknown[], parent: string, member: Fields): readonly unknown[] {
  if (!isWithin(list, parent)) throw new UsageError(`there is no "${parent}" that ${String(member['id'])} could be a member of`);
  const field = member['element'] === 'group' ? 'group' : 'primitive';
  const within = (all: readonly unknown[]): readonly unknown[] =>
    all.map((one) => {
      if (!isFields(one)) return one;
      if (one['id'] !== parent) return mapMembers(one, within);
      return { ...one, [field]: [...listOf(one[field]), without(member, 'element')] };
    });
  return within(list);
}

function isWithin(list: readonly unknown[], id: string): boolean {
  return list.some((one) => isFields(one) && (one['id'] === id || MEMBER_FIELDS.some((field) => isWithin(listOf(one[field]), id))));
}

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isFields) : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
