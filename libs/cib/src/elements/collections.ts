import { childElements, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/** The elements of a configuration that are addressed by themselves: where they stand, and what they may be. */
interface Collection {
  /** Name of the section. */
  readonly section: string;
  readonly elements: readonly string[];
}

export const COLLECTIONS = {
  resources: { section: 'resources', elements: ['primitive', 'group', 'clone', 'bundle', 'template'] },
  constraints: { section: 'constraints', elements: ['rsc_location', 'rsc_colocation', 'rsc_order', 'rsc_ticket'] },
  nodes: { section: 'nodes', elements: ['node'] },
  tags: { section: 'tags', elements: ['tag'] },
  'fencing-levels': { section: 'fencing-topology', elements: ['fencing-level'] },
  alerts: { section: 'alerts', elements: ['alert'] },
  'acl-roles': { section: 'acls', elements: ['acl_role'] },
  'acl-targets': { section: 'acls', elements: ['acl_target'] },
  'acl-groups': { section: 'acls', elements: ['acl_group'] },
} as const satisfies Readonly<Record<string, Collection>>;

export type CollectionName = keyof typeof COLLECTIONS;

/** Sections that are addressed as a whole: they hold sets of options, and nothing with an id of its own. */
export const SETTINGS = { properties: 'crm_config', 'rsc-defaults': 'rsc_defaults', 'op-defaults': 'op_defaults' } as const;

export type SettingsName = keyof typeof SETTINGS;

export const COLLECTION_NAMES = Object.keys(COLLECTIONS) as readonly CollectionName[];
export const SETTINGS_NAMES = Object.keys(SETTINGS) as readonly SettingsName[];

/** An element of a collection, and where it stands. */
export interface PlacedElement {
  readonly element: XmlElement;
  /** The section, or the group, clone or bundle that it is a member of. */
  readonly parent: XmlElement;
}

/** The elements of a collection in document order; of resources the members, too, each after what it is a member of. */
export function* elementsOf(configuration: XmlElement, collection: CollectionName): Generator<PlacedElement, void, undefined> {
  const { section, elements } = COLLECTIONS[collection];
  const found = firstChildNamed(configuration, section);
  if (found !== undefined) yield* placedIn(found, new Set(elements));
}

function* placedIn(parent: XmlElement, names: ReadonlySet<string>): Generator<PlacedElement, void, undefined> {
  for (const element of childElements(parent)) {
    if (!names.has(element.name)) continue;
    yield { element, parent };
    yield* placedIn(element, names);
  }
}

/** The element of a collection with that id; the first, where several have it. A node may be named instead, unless another one has the name for an id. */
export function elementWithId(configuration: XmlElement, collection: CollectionName, id: string): PlacedElement | undefined {
  const section = firstChildNamed(configuration, COLLECTIONS[collection].section);
  return section && placesIn(section, collection).get(id);
}

/** By id. Found out once for as long as the section lives, so that a configuration may be asked for one element after the other. */
function placesIn(section: XmlElement, collection: CollectionName): ReadonlyMap<string, PlacedElement> {
  const known = places[collection].get(section);
  if (known !== undefined) return known;
  const found = new Map<string, PlacedElement>();
  const add = (id: string | undefined, placed: PlacedElement): void => {
    if (id !== undefined && !found.has(id)) found.set(id, placed);
  };
  const all = [...placedIn(section, new Set(COLLECTIONS[collection].elements))];
  for (const placed of all) add(placed.element.attributes['id'], placed);
  if (collection === 'nodes') for (const placed of all) add(placed.element.attributes['uname'], placed);
  places[collection].set(section, found);
  return found;
}

const places = Object.fromEntries(COLLECTION_NAMES.map((name) => [name, new WeakMap()])) as Readonly<
  Record<CollectionName, WeakMap<XmlElement, ReadonlyMap<string, PlacedElement>>>
>;

/** The collection of elements of that name; undefined for those that are addressed with what they stand in only. */
export function collectionOf(element: string): CollectionName | undefined {
  return COLLECTION_NAMES.find((name) => (COLLECTIONS[name].elements as readonly string[]).includes(element));
}
