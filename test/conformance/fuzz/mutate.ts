import { type Draft, copyDraft, countDrafts, type Spot, spotsBelow } from './draft.js';
import type { Mutation, Place } from './mutation.js';
import { SETTINGS, STRANGE_NAMES, valueFor } from './values.js';

/** Documents do not grow beyond this many elements, so that a run takes milliseconds and not minutes. */
const MAX_ELEMENTS = 30_000;
/** Copies with ids of their own may all become nodes and resources, whose number goes into the work squared. */
const MAX_FRESH = 1000;

/** Applies one change to a tree, in place; a change that finds nothing to change does nothing. */
export function mutate(root: Draft, mutation: Mutation, foreign: (sample: number) => Draft): void {
  const spots = spotsBelow(root);
  const spot = pickSpot(spots, mutation.at);
  if (!spot) return;
  const { draft, parent } = spot;
  const index = parent.children.indexOf(draft);
  switch (mutation.type) {
    case 'delete':
      parent.children.splice(index, 1);
      return;
    case 'duplicate':
      grow(root, parent, index, [draft]);
      return;
    case 'reverse-children':
      draft.children.reverse();
      return;
    case 'hollow':
      draft.children = [];
      return;
    case 'move':
    case 'replace':
    case 'swap':
      exchange(root, mutation.type, spot, pickSpot(spots, mutation.other));
      return;
    case 'set':
    case 'set-strange':
    case 'set-existing':
      setAttribute(mutation, draft, spots);
      return;
    case 'unset': {
      const name = pickFrom(Object.keys(draft.attributes), mutation.attribute);
      if (name !== undefined) draft.attributes = Object.fromEntries(Object.entries(draft.attributes).filter(([key]) => key !== name));
      return;
    }
    case 'borrow': {
      const [name, value] = pickFrom(Object.entries(pickSpot(spots, mutation.other)?.draft.attributes ?? {}), mutation.attribute) ?? [];
      if (name !== undefined && value !== undefined) draft.attributes[name] = value;
      return;
    }
    case 'setting':
      addSetting(spots, mutation);
      return;
    case 'rename':
      rename(spots, draft, mutation.pick);
      return;
    case 'retarget':
      retarget(spots, mutation.at, mutation.pick);
      return;
    case 'nest':
      nest(root, spot, mutation.depth);
      return;
    case 'multiply':
      multiply(root, spot, spots, mutation);
      return;
    case 'splice': {
      const source = pickSpot(spotsBelow(foreign(mutation.sample)), mutation.from)?.draft;
      if (source)
        grow(
          root,
          pickFrom(
            spots.filter(({ draft: one }) => one.name === source.name),
            mutation.at.index,
          )?.parent ?? draft,
          0,
          [source],
        );
      return;
    }
  }
}

function pickFrom<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(list.length, 1)];
}

function pickSpot(spots: readonly Spot[], { kind, index }: Place): Spot | undefined {
  const name = pickFrom([...new Set(spots.map(({ draft }) => draft.name))].sort(), kind);
  return pickFrom(
    spots.filter(({ draft }) => draft.name === name),
    index,
  );
}

/** Inserts copies, unless the document would become too large. */
function grow(root: Draft, parent: Draft, index: number, more: readonly Draft[]): void {
  const added = more.reduce((sum, one) => sum + countDrafts(one), 0);
  if (countDrafts(root) + added <= MAX_ELEMENTS) parent.children.splice(index, 0, ...more.map(copyDraft));
}

function exchange(root: Draft, type: 'move' | 'replace' | 'swap', { draft, parent }: Spot, other: Spot | undefined): void {
  if (!other || other.draft === draft) return;
  const index = parent.children.indexOf(draft);
  if (type === 'replace') {
    const copy = copyDraft(other.draft);
    parent.children.splice(index, 1);
    grow(root, parent, index, [copy]);
  } else if (type === 'move') {
    // A copy, since an element may be led into itself.
    grow(root, other.draft, other.draft.children.length, [draft]);
    parent.children.splice(parent.children.indexOf(draft), 1);
  } else {
    const { name, attributes, children } = draft;
    if (spotsBelow(draft).some((below) => below.draft === other.draft) || spotsBelow(other.draft).some((below) => below.draft === draft))
      return;
    Object.assign(draft, other.draft);
    Object.assign(other.draft, { name, attributes, children });
  }
}

type SetMutation = Extract<Mutation, { readonly type: 'set' | 'set-strange' | 'set-existing' }>;

function setAttribute({ type, attribute, pick }: SetMutation, draft: Draft, spots: readonly Spot[]): void {
  const name = pickFrom(Object.keys(draft.attributes), attribute);
  if (name === undefined) return;
  const about = name === 'value' ? (draft.attributes['name'] ?? name) : name;
  const held = type === 'set-existing' ? spots.flatMap(({ draft: { attributes } }) => Object.values(attributes)) : STRANGE_NAMES;
  draft.attributes[name] = type === 'set' ? valueFor(about, pick) : (pickFrom(held, pick) ?? '');
}

function addSetting(spots: readonly Spot[], { at, name: namePick, pick }: Extract<Mutation, { readonly type: 'setting' }>): void {
  const sets = spots.filter(({ draft }) => /_attributes$|^utilization$|^cluster_property_set$/.test(draft.name));
  const set = pickSpot(sets, at)?.draft;
  const name = pickFrom(SETTINGS, namePick) ?? '';
  set?.children.unshift({
    name: 'nvpair',
    attributes: { id: `fuzz-${namePick}-${pick}`, name, value: valueFor(name, pick) },
    children: [],
  });
}

const REFERENCES = [
  'rsc',
  'with-rsc',
  'first',
  'then',
  'node',
  'template',
  'id-ref',
  'id',
  'uname',
  'target',
  'devices',
  'value',
  'attribute',
  'on_node',
];

function rename(spots: readonly Spot[], { attributes: { id } }: Draft, pick: number): void {
  const to = pickFrom(STRANGE_NAMES, pick) ?? '';
  for (const { draft } of spots)
    for (const name of REFERENCES) if (id !== undefined && draft.attributes[name] === id) draft.attributes[name] = to;
}

/** Leads a reference to something of the document: dangling in kind, to itself, or in a circle. */
function retarget(spots: readonly Spot[], at: Place, pick: number): void {
  const names = REFERENCES.filter((name) => name !== 'id' && name !== 'uname');
  const referring = spots.filter(({ draft }) => draft.name.endsWith('_ref') || names.some((name) => name in draft.attributes));
  const draft = pickSpot(referring, at)?.draft;
  if (!draft) return;
  const name = draft.name.endsWith('_ref')
    ? 'id'
    : pickFrom(
        names.filter((one) => one in draft.attributes),
        pick,
      );
  const targets = spots.filter(({ draft: { name: kind } }) =>
    /^(primitive|group|clone|bundle|template|tag|node|rule|.*_set|.*_attributes|operations|nvpair)$/.test(kind),
  );
  const target = pickSpot(targets, { kind: pick, index: Math.floor(pick / 7) })?.draft.attributes['id'];
  if (name !== undefined && target !== undefined) draft.attributes[name] = target;
}

function nest(root: Draft, { draft, parent }: Spot, depth: number): void {
  const size = countDrafts(root);
  let inner = draft;
  for (let level = 0; level < depth && size + level < MAX_ELEMENTS; level++) {
    const id = draft.attributes['id'];
    const shell = { ...draft, attributes: { ...draft.attributes, ...(id === undefined ? {} : { id: `${id}-nest${level}` }) } };
    inner = { ...shell, children: [inner] };
  }
  parent.children[parent.children.indexOf(draft)] = inner;
}

function multiply(
  root: Draft,
  { draft, parent }: Spot,
  spots: readonly Spot[],
  { times, fresh }: Extract<Mutation, { readonly type: 'multiply' }>,
): void {
  const room = Math.floor((MAX_ELEMENTS - countDrafts(root)) / countDrafts(draft));
  const resources = spots.filter(({ draft: { name } }) => name === 'primitive').map((one) => one.draft.attributes['id'] ?? '');
  const copies = Array.from({ length: Math.min(fresh ? Math.min(times, MAX_FRESH) : times, Math.max(room, 0)) }, (_, turn) => {
    const copy = copyDraft(draft);
    for (const one of [copy, ...spotsBelow(copy).map((spot) => spot.draft)]) {
      if (one.name.endsWith('_ref') && !fresh) one.attributes['id'] = pickFrom(resources, turn) ?? '';
      else if (fresh)
        for (const name of ['id', 'uname']) if (name in one.attributes) one.attributes[name] = `${one.attributes[name] ?? ''}-${turn}`;
    }
    return copy;
  });
  parent.children.splice(parent.children.indexOf(draft), 0, ...copies);
}
