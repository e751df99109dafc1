import { COLLECTION_NAMES, SETTINGS_NAMES, type CollectionName } from './collections.js';
import type { ConfigurationDocument } from './configuration-document.js';
import type { ElementEdit } from './element-edit.js';
import { MEMBERS_FIELD } from './element-edit.js';
import { sameJson } from './json-patch.js';
import { pointerTo } from './json-pointer.js';
import { NAME_FIELD } from './shown-element.js';
import type { ElementFinding } from './write-element.js';

/** An edit on the way from one configuration to another. */
export interface ConfigurationStep {
  readonly edit: ElementEdit;
  /** JSON pointer of what it is for: of the element that is written, else of the collection. */
  readonly pointer: string;
}

export type StepsBetween =
  | { readonly ok: true; readonly steps: readonly ConfigurationStep[] }
  | { readonly ok: false; readonly findings: readonly ElementFinding[] };

type Json = Readonly<Record<string, unknown>>;

/** Fields of resources that hold resources. */
const MEMBER_FIELDS = ['primitive', 'group'];

/** Who refers comes before what it refers to: so nothing is deleted that others, which go or change as well, still refer to. */
const REFERRING_FIRST: readonly CollectionName[] = [
  ...(['constraints', 'fencing-levels', 'acl-targets', 'acl-groups', 'acl-roles', 'tags', 'nodes', 'alerts'] as const),
];

/**
 * The edits that make the configuration of one document that of another. What is left out of the other is deleted; resources that stand elsewhere in it are moved, and so keep what refers to them.
 *
 * @param wished JSON of any origin; what is in its elements is looked at when they are written
 * @param pointer of it
 */
export function stepsBetween(present: ConfigurationDocument, wished: unknown, pointer: string): StepsBetween {
  if (!isObject(wished)) return { ok: false, findings: [{ pointer, message: 'must be an object' }] };
  const findings = faultsIn(wished, pointer);
  if (findings.length > 0) return { ok: false, findings };
  const steps: ConfigurationStep[] = [];
  for (const name of SETTINGS_NAMES) {
    const fields = wished[name] ?? {};
    if (!sameJson(fields, present[name] ?? {})) {
      steps.push({ edit: { edit: 'replace', collection: name, element: fields }, pointer: pointerTo(pointer, name) });
    }
  }
  const others = REFERRING_FIRST.map(
    (name) => new CollectionSteps(name, present[name] ?? [], listIn(wished, name), pointerTo(pointer, name)),
  );
  for (const each of others) steps.push(...each.changes());
  steps.push(...new ResourceSteps(present.resources ?? [], listIn(wished, 'resources'), pointerTo(pointer, 'resources')).all());
  for (const each of others) steps.push(...each.additions());
  return { ok: true, steps };
}

function faultsIn(wished: Json, pointer: string): readonly ElementFinding[] {
  const known: readonly string[] = [...SETTINGS_NAMES, ...COLLECTION_NAMES];
  const unknown = Object.keys(wished).filter((name) => !known.includes(name));
  return [
    ...unknown.map((name) => ({ pointer: pointerTo(pointer, name), message: `is not known here: known are ${known.join(', ')}` })),
    ...COLLECTION_NAMES.flatMap((name) => {
      const list = Object.hasOwn(wished, name) ? wished[name] : [];
      const place = pointerTo(pointer, name);
      if (!Array.isArray(list)) return [{ pointer: place, message: 'must be a list of elements' }];
      return list.flatMap((one: unknown, index) =>
        isObject(one) ? [] : [{ pointer: pointerTo(place, index), message: 'must be an object' }],
      );
    }),
    ...idsThatAreThereTwice(wished, pointer),
  ];
}

/** Of two with one id nobody could say which is meant. */
function idsThatAreThereTwice(wished: Json, pointer: string): readonly ElementFinding[] {
  return COLLECTION_NAMES.flatMap((name) => {
    const seen = new Set<string>();
    const list = Array.isArray(wished[name]) ? (wished[name] as readonly unknown[]) : [];
    return placed(list.filter(isObject), undefined, pointerTo(pointer, name), name === 'resources').flatMap(({ id, pointer: at }) => {
      if (id === undefined) return [];
      const twice = seen.has(id);
      seen.add(id);
      return twice ? [{ pointer: pointerTo(at, 'id'), message: `"${id}" is there twice` }] : [];
    });
  });
}

function listIn(wished: Json, name: CollectionName): readonly Json[] {
  return Object.hasOwn(wished, name) ? (wished[name] as readonly Json[]) : [];
}

/** An element of a document: where it stands, and what it is called. */
interface Placed {
  readonly id: string | undefined;
  readonly json: Json;
  /** Id of what it is a member of; undefined in the section itself. */
  readonly parent: string | undefined;
  readonly pointer: string;
}

/** Elements, and of resources the members: each after its members. */
function placed(list: readonly Json[], parent: string | undefined, pointer: string, withMembers: boolean): readonly Placed[] {
  return list.flatMap((json, index) => {
    const at = pointerTo(pointer, index);
    const id = typeof json['id'] === 'string' ? json['id'] : undefined;
    const members = withMembers ? MEMBER_FIELDS.flatMap((field) => placed(membersIn(json, field), id, pointerTo(at, field), true)) : [];
    return [...members, { id, json, parent, pointer: at }];
  });
}

/** With the name of what they are, as they would stand by themselves. */
function membersIn(json: Json, field: string): readonly Json[] {
  const list = Object.hasOwn(json, field) ? json[field] : [];
  return Array.isArray(list) ? list.filter(isObject).map((member) => ({ [NAME_FIELD]: field, ...member })) : [];
}

class CollectionSteps {
  private readonly present: ReadonlyMap<string, Json>;
  private readonly wished: readonly Placed[];

  constructor(
    private readonly collection: CollectionName,
    present: readonly Json[],
    wished: readonly Json[],
    private readonly pointer: string,
  ) {
    this.present = new Map(present.flatMap((json) => (typeof json['id'] === 'string' ? [[json['id'], json] as const] : [])));
    this.wished = placed(wished, undefined, pointer, false);
  }

  changes(): readonly ConfigurationStep[] {
    const { collection, pointer } = this;
    const wishedIds = new Set(this.wished.map(({ id }) => id));
    return [
      ...[...this.present.keys()]
        .filter((id) => !wishedIds.has(id))
        .map((id) => ({ edit: { edit: 'delete', collection, id } as const, pointer })),
      ...this.wished.flatMap(({ id, json, pointer: at }) => {
        const before = id === undefined ? undefined : this.present.get(id);
        if (id === undefined || before === undefined || sameJson(before, json)) return [];
        return [{ edit: { edit: 'replace', collection, id, element: json } as const, pointer: at }];
      }),
    ];
  }

  additions(): readonly ConfigurationStep[] {
    const { collection, pointer, present } = this;
    const isNew = ({ id }: Placed): boolean => id === undefined || !present.has(id);
    const ids = this.wished.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const stay = [...present.keys()].filter((id) => ids.includes(id));
    return [
      ...this.wished
        .filter(isNew)
        .map(({ json, pointer: at }) => ({ edit: { edit: 'create', collection, element: json } as const, pointer: at })),
      ...ordering(collection, [...stay, ...ids.filter((id) => !present.has(id))], ids, pointer),
    ];
  }
}

/** Resources, which may move into others and out of them. */
class ResourceSteps {
  private readonly present: ReadonlyMap<string, Placed>;
  private readonly wished: ReadonlyMap<string, Placed>;
  private readonly nameless: readonly Placed[];
  /** Ids of new ones that are made around what is there. */
  private readonly around = new Set<string>();
  private readonly steps: ConfigurationStep[] = [];
  /** Ids of what stands in no other one, in order, after the steps so far. */
  private readonly outer: string[];

  constructor(
    present: readonly Json[],
    wished: readonly Json[],
    private readonly pointer: string,
  ) {
    const byId = (list: readonly Placed[]): ReadonlyMap<string, Placed> =>
      new Map(list.flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])));
    const all = placed(wished, undefined, pointer, true);
    this.present = byId(placed(present, undefined, '', true));
    this.outer = outerOf(this.present);
    this.wished = byId(all);
    this.nameless = all.filter(({ id, parent }) => id === undefined && parent === undefined);
  }

  all(): readonly ConfigurationStep[] {
    this.arrange();
    this.setApart();
    this.write();
    this.delete();
    this.order();
    return this.steps;
  }

  /** Brings everything that is there to where it shall be; members come before what they are in. */
  private arrange(): void {
    for (const [id, { json, parent, pointer }] of this.wished) {
      const before = this.present.get(id);
      const isParentThere = parent !== undefined && this.present.has(parent);
      if (before !== undefined) {
        if (before.parent === parent || (parent !== undefined && !isParentThere)) continue;
        this.push({ edit: 'move', collection: 'resources', id, ...(parent === undefined ? {} : { parent }) }, pointer);
        continue;
      }
      const members = [...this.wished].flatMap(([member, one]) => (one.parent === id && this.isThere(member) ? [member] : []));
      if (members.length === 0) continue;
      const own = Object.entries(json).filter(([field]) => !MEMBER_FIELDS.includes(field));
      const element = { ...Object.fromEntries(own), [MEMBERS_FIELD]: members, ...(isParentThere ? { parent } : {}) };
      this.around.add(id);
      this.push({ edit: 'create', collection: 'resources', element }, pointer);
    }
  }

  private isThere(id: string): boolean {
    return this.present.has(id) || this.around.has(id);
  }

  /** Members that go stand by themselves until they go: so what they were in may get others, and who refers to them is asked all the same. */
  private setApart(): void {
    for (const [id, { parent, pointer }] of this.present) {
      if (parent === undefined || this.wished.has(id) || !this.wished.has(parent)) continue;
      this.push({ edit: 'move', collection: 'resources', id }, pointer);
    }
  }

  private write(): void {
    const news: ConfigurationStep[] = [];
    for (const [id, { json, parent, pointer }] of this.wished) {
      if (parent !== undefined) continue;
      const before = this.present.get(id);
      if (!this.isThere(id)) news.push({ edit: { edit: 'create', collection: 'resources', element: json }, pointer });
      else if (before === undefined || !sameJson(before.json, json)) {
        this.push({ edit: 'replace', collection: 'resources', id, element: json }, pointer);
      }
    }
    for (const { edit, pointer } of news) this.push(edit, pointer);
    for (const { json, pointer } of this.nameless) this.push({ edit: 'create', collection: 'resources', element: json }, pointer);
  }

  private delete(): void {
    for (const [id, { parent }] of this.present) {
      if (this.wished.has(id) || (parent !== undefined && !this.wished.has(parent))) continue;
      this.push({ edit: 'delete', collection: 'resources', id }, this.pointer);
    }
  }

  private order(): void {
    const wished = outerOf(this.wished);
    const named = this.outer.filter((id) => wished.includes(id));
    this.steps.push(...ordering('resources', named, wished, this.pointer));
  }

  private push(edit: ElementEdit, pointer: string): void {
    this.steps.push({ edit, pointer });
    if (edit.edit === 'move' || edit.edit === 'delete') {
      this.leave([edit.id]);
      if (edit.edit === 'move' && edit.parent === undefined) this.outer.push(edit.id);
    }
    if (edit.edit !== 'create' || !('element' in edit) || !isObject(edit.element)) return;
    const { id, parent, [MEMBERS_FIELD]: members } = edit.element;
    const around = Array.isArray(members) ? members.filter((member) => typeof member === 'string') : [];
    const [first] = around;
    // What is made around others stands where the first of them stood.
    const next = first === undefined ? -1 : this.outer.indexOf(first);
    const follows = next < 0 ? undefined : this.outer.slice(next).find((one) => !around.includes(one));
    this.leave(around);
    if (typeof id !== 'string' || parent !== undefined) return;
    const place = follows === undefined ? this.outer.length : this.outer.indexOf(follows);
    this.outer.splice(place, 0, id);
  }

  private leave(ids: readonly string[]): void {
    for (const id of ids) {
      const at = this.outer.indexOf(id);
      if (at >= 0) this.outer.splice(at, 1);
    }
  }
}

function outerOf(list: ReadonlyMap<string, Placed>): string[] {
  return [...list].flatMap(([id, { parent }]) => (parent === undefined ? [id] : []));
}

/** Moves that bring siblings into an order. */
function ordering(collection: CollectionName, present: readonly string[], wished: readonly string[], pointer: string): ConfigurationStep[] {
  const order = [...present];
  return wished.flatMap((id, index) => {
    const before = order[index];
    if (before === undefined || before === id) return [];
    order.splice(order.lastIndexOf(id), 1);
    order.splice(index, 0, id);
    return [{ edit: { edit: 'move', collection, id, before } as const, pointer }];
  });
}

function isObject(json: unknown): json is Json {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
