import { COLLECTION_NAMES, COLLECTIONS, nearMatches, SETTINGS_NAMES, type CollectionName, type SettingsName } from '@systole/cib';
import { UsageError } from '../exit-code.js';

/** What a person names: elements of one collection, of one name or of any; or a section that there is once. */
export type Kind = { readonly collection: CollectionName; readonly element?: string } | { readonly settings: SettingsName };

/** Other words than the elements' own names. */
const WORDS: Readonly<Record<string, Kind>> = {
  resource: { collection: 'resources' },
  constraint: { collection: 'constraints' },
  location: { collection: 'constraints', element: 'rsc_location' },
  colocation: { collection: 'constraints', element: 'rsc_colocation' },
  order: { collection: 'constraints', element: 'rsc_order' },
  ticket: { collection: 'constraints', element: 'rsc_ticket' },
  'acl-role': { collection: 'acl-roles', element: 'acl_role' },
  'acl-target': { collection: 'acl-targets', element: 'acl_target' },
  'acl-user': { collection: 'acl-targets', element: 'acl_target' },
  'acl-group': { collection: 'acl-groups', element: 'acl_group' },
  property: { settings: 'properties' },
};

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...SETTINGS_NAMES.map((settings) => [settings, { settings }] as const),
  ...COLLECTION_NAMES.map((collection) => [collection, { collection }] as const),
  ...COLLECTION_NAMES.flatMap((collection) =>
    COLLECTIONS[collection].elements.map((element) => [element, { collection, element }] as const),
  ),
  ...Object.entries(WORDS),
]);

/** All words for {@link kindNamed}. */
export const KIND_WORDS: readonly string[] = [...KINDS.keys()];

/** What a word means. @throws {UsageError} naming those that there are */
export function kindNamed(word: string): Kind {
  const found = KINDS.get(word);
  if (found !== undefined) return found;
  const [near] = nearMatches(word, KIND_WORDS);
  throw new UsageError(
    `there is no "${word}" in a configuration${near === undefined ? '.' : `: did you mean ${near}?`} There are ${KIND_WORDS.join(', ')}`,
  );
}

/** The kind of what has ids. @throws {UsageError} for one that there is once */
export function collectionNamed(word: string): { readonly collection: CollectionName; readonly element?: string } {
  const kind = kindNamed(word);
  if ('collection' in kind) return kind;
  throw new UsageError(
    `of ${word} there is one only: see "systole config show ${word}", and "systole property" or "systole resource defaults"`,
  );
}
