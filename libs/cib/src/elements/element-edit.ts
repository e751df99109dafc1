import { COLLECTION_NAMES, SETTINGS_NAMES, type CollectionName, type SettingsName } from './collections.js';
import { WHOLE } from './configuration-document.js';
import { pointerTo } from './json-pointer.js';
import type { ElementFinding } from './write-element.js';

/** Where among its siblings an element goes; at the end when neither is given. */
interface Place {
  /** Id of the sibling that it goes before. */
  readonly before?: string;
  readonly after?: string;
}

/** An element as JSON, or as XML text, which is taken as it is: nothing is made or kept. */
type Written = { readonly element: unknown } | { readonly xml: string };

/** The field of a new group, clone or bundle that lists the ids of resources that are there, and become its members, in this order. */
export const MEMBERS_FIELD = 'members';

/**
 * The JSON is as `showElement` shows it, with its name; of a resource also `parent`, the id of the group, clone or bundle that it becomes a member of, and of
 * a group, clone or bundle also {@link MEMBERS_FIELD}.
 */
export type CreateElement = Place & Written & { readonly edit: 'create'; readonly collection: CollectionName };

export type ReplaceElement = Written & { readonly edit: 'replace'; readonly collection: CollectionName; readonly id: string };

export interface PatchElement {
  readonly edit: 'patch';
  readonly collection: CollectionName;
  readonly id: string;
  /** Of the element as it is shown: a merge patch (RFC 7396), which is an object, or a JSON Patch (RFC 6902), which is a list. */
  readonly patch: unknown;
}

export interface DeleteElement {
  readonly edit: 'delete';
  readonly collection: CollectionName;
  readonly id: string;
  /** Take along who refers to it, instead of being refused for them. */
  readonly cascade?: boolean;
}

/** Elsewhere among its siblings, or into another parent: without one, that of the sibling; without either, out to the end of the section. */
export interface MoveElement extends Place {
  readonly edit: 'move';
  readonly collection: CollectionName;
  readonly id: string;
  readonly parent?: string;
}

export type ReplaceSettings = Written & { readonly edit: 'replace'; readonly collection: SettingsName };

export interface PatchSettings {
  readonly edit: 'patch';
  readonly collection: SettingsName;
  readonly patch: unknown;
}

/** The whole becomes another one: as a {@link ConfigurationDocument}, or as `<configuration>`. */
export type ReplaceConfiguration = Written & { readonly edit: 'replace'; readonly collection: typeof WHOLE };

export interface PatchConfiguration {
  readonly edit: 'patch';
  readonly collection: typeof WHOLE;
  /** Of the {@link ConfigurationDocument}. */
  readonly patch: unknown;
}

/** A change of one element of the configuration, or of all of it. */
export type ElementEdit =
  | CreateElement
  | ReplaceElement
  | PatchElement
  | DeleteElement
  | MoveElement
  | ReplaceSettings
  | PatchSettings
  | ReplaceConfiguration
  | PatchConfiguration;

type Kind = ElementEdit['edit'];
type FieldType = 'text' | 'flag' | 'json';

interface EditField {
  readonly type: FieldType;
  readonly optional?: true;
  readonly description: string;
}

const ID: EditField = { type: 'text', description: 'Id of the element; of a node also its name.' };
const BEFORE: EditField = { type: 'text', optional: true, description: 'Id of the sibling that it goes before.' };
const AFTER: EditField = { type: 'text', optional: true, description: 'Id of the sibling that it goes after.' };

const XML: EditField = { type: 'text', optional: true, description: 'The element as XML, instead of `element`.' };

/** The fields of each kind of edit beside `edit` and `collection`. */
export const EDIT_FIELDS: Readonly<Record<Kind, Readonly<Record<string, EditField>>>> = {
  create: {
    element: { type: 'json', optional: true, description: 'The element; ids that are left out are made.' },
    xml: XML,
    before: BEFORE,
    after: AFTER,
  },
  replace: { id: ID, element: { type: 'json', optional: true, description: 'What it becomes.' }, xml: XML },
  patch: {
    id: ID,
    patch: {
      type: 'json',
      description: 'Of the element as it is read: a merge patch (RFC 7396), or a JSON Patch (RFC 6902), which is a list.',
    },
  },
  delete: {
    id: ID,
    cascade: { type: 'flag', optional: true, description: 'Take along what refers to it, instead of being refused for that.' },
  },
  move: {
    id: ID,
    parent: { type: 'text', optional: true, description: 'Id of the group, clone or bundle that it becomes a member of.' },
    before: BEFORE,
    after: AFTER,
  },
};

/** What there is once, and so has no id. */
export const ONCE: readonly string[] = [...SETTINGS_NAMES, WHOLE];

/** Most edits that are made together. */
export const MOST_EDITS = 1_000;

export type EditsReading =
  { readonly ok: true; readonly edits: readonly ElementEdit[] } | { readonly ok: false; readonly findings: readonly ElementFinding[] };

/** Reads a list of edits from JSON of any origin; what is in their elements is looked at when they are made. @param pointer of the list */
export function readEdits(json: unknown, pointer: string): EditsReading {
  if (!Array.isArray(json) || json.length === 0 || json.length > MOST_EDITS) {
    return { ok: false, findings: [{ pointer, message: `must be a list of 1 to ${String(MOST_EDITS)} edits` }] };
  }
  const findings: ElementFinding[] = [];
  const edits = json.flatMap((one: unknown, index) => {
    const found = faultsIn(one, pointerTo(pointer, index));
    findings.push(...found);
    // It has the fields of its kind, and no others.
    return found.length === 0 ? [one as ElementEdit] : [];
  });
  return findings.length === 0 ? { ok: true, edits } : { ok: false, findings };
}

function faultsIn(json: unknown, pointer: string): readonly ElementFinding[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [{ pointer, message: 'must be an object' }];
  const given = new Map<string, unknown>(Object.entries(json));
  const kind = given.get('edit');
  if (typeof kind !== 'string' || !isKind(kind)) {
    return [{ pointer: pointerTo(pointer, 'edit'), message: `must be one of ${Object.keys(EDIT_FIELDS).join(', ')}` }];
  }
  const collection = given.get('collection');
  const isSettings = ONCE.some((name) => name === collection);
  const mayBeSettings = kind === 'replace' || kind === 'patch';
  const names = [...COLLECTION_NAMES, ...(mayBeSettings ? ONCE : [])];
  if (!names.some((name) => name === collection)) {
    return [{ pointer: pointerTo(pointer, 'collection'), message: `must be one of ${names.join(', ')}` }];
  }
  if ('xml' in EDIT_FIELDS[kind] && given.has('element') === given.has('xml')) {
    return [{ pointer: pointerTo(pointer, 'element'), message: 'give the element either as element or as xml' }];
  }
  const fields = Object.entries(EDIT_FIELDS[kind]).filter(([name]) => name !== 'id' || !isSettings);
  return [
    ...[...given.keys()].flatMap((name) => {
      const known = ['edit', 'collection', ...fields.map(([field]) => field)];
      return known.includes(name)
        ? []
        : [{ pointer: pointerTo(pointer, name), message: `is not known here: known are ${known.join(', ')}` }];
    }),
    ...fields.flatMap(([name, { type, optional }]) => {
      const value = given.get(name);
      const isMissing = value === undefined;
      const wrong = isMissing ? (optional === true ? undefined : 'is needed') : wrongIn(value, type);
      return wrong === undefined ? [] : [{ pointer: pointerTo(pointer, name), message: wrong }];
    }),
  ];
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(EDIT_FIELDS, kind);
}

function wrongIn(value: unknown, type: FieldType): string | undefined {
  switch (type) {
    case 'text':
      return typeof value === 'string' && value !== '' ? undefined : 'must be a text';
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'json':
      return undefined;
  }
}
