import { element, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { COLLECTION_NAMES, elementsOf, SETTINGS, SETTINGS_NAMES, type CollectionName, type SettingsName } from './collections.js';
import { showElement } from './show-element.js';
import { NAME_FIELD, type ShownElement, type ShownFields } from './shown-element.js';

/** What the whole of a configuration is called where a collection is named. */
export const WHOLE = 'configuration';

/**
 * A whole configuration as JSON: by collection the elements, each as it is by itself; members stand in what they are members of. Options and defaults are the fields of their section.
 * What is empty is left out.
 */
export type ConfigurationDocument = { readonly [collection in CollectionName]?: readonly ShownElement[] } & {
  readonly [settings in SettingsName]?: ShownFields;
};

/** A configuration as one document, in the order of the configuration. Comments and what the schema does not know are left out. */
export function showConfiguration(configuration: XmlElement): ConfigurationDocument {
  const document: Record<string, ShownFields | readonly ShownElement[]> = {};
  for (const name of SETTINGS_NAMES) {
    const fields = showSettings(configuration, name);
    if (Object.keys(fields).length > 0) document[name] = fields;
  }
  for (const name of COLLECTION_NAMES) {
    const shown = [...elementsOf(configuration, name)].filter(({ parent }) => parent.attributes['id'] === undefined);
    if (shown.length > 0) document[name] = shown.map(({ element: one }) => showElement(one));
  }
  return document;
}

/** The fields of a section of options, without its name. */
export function showSettings(configuration: XmlElement, name: SettingsName): ShownFields {
  const shown = showElement(firstChildNamed(configuration, SETTINGS[name]) ?? element(SETTINGS[name]));
  return Object.fromEntries(Object.entries(shown).filter(([field]) => field !== NAME_FIELD));
}
