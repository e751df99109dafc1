import { childElements, COLLECTIONS, firstChildNamed, parseXml, serializeXml, SETTINGS } from '@systole/cib';
import type { Kind } from './kinds.js';
import type { Fields } from './requests.js';

/** Of a whole configuration what is of a kind, as a document of its own. */
export function partOf(document: Fields, kind: Kind): Fields {
  if ('settings' in kind) return { [kind.settings]: document[kind.settings] ?? {} };
  const { collection, element } = kind;
  const list = Array.isArray(document[collection]) ? (document[collection] as readonly Fields[]) : [];
  return { [collection]: element === undefined ? list : list.filter((one) => one['element'] === element) };
}

/** The same of a configuration as XML: the elements, one after the other. */
export function xmlPartOf(xml: string, kind: Kind): string {
  const configuration = parseXml(xml);
  const section = firstChildNamed(configuration, sectionOf(kind));
  if (section === undefined) return '';
  if ('settings' in kind || kind.element === undefined) return serializeXml(section);
  return childElements(section)
    .filter(({ name }) => name === kind.element)
    .map((element) => serializeXml(element))
    .join('');
}

function sectionOf(kind: Kind): string {
  return 'settings' in kind ? SETTINGS[kind.settings] : COLLECTIONS[kind.collection].section;
}
