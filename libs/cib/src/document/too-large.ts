import { placeOfRoot, walkWithPlaces } from '../schema/problem-path.js';
import type { XmlElement } from '../xml/element.js';
import { CibRefused } from './cib-refused.js';

/**
 * The refusal of a document because of one element, which stands for more than can be worked with: a few letters can ask for a million instances.
 *
 * @param element of the document; one that was made from it is found by its name and id.
 * @param what says how much is too much, and what to lower.
 */
export function tooLarge(document: XmlElement, element: XmlElement, what: string): CibRefused {
  const { name } = element;
  const { id } = element.attributes;
  const root = placeOfRoot(document, `/${document.name}`);
  let found = root;
  let exact = false;
  walkWithPlaces(document, root, (candidate, place) => {
    if (exact || (candidate !== element && (candidate.name !== name || candidate.attributes['id'] !== id))) return;
    found = place;
    exact = candidate === element;
  });
  const { path } = found;
  const line = element.line ?? found.line;
  const where = line === undefined ? '' : `line ${line}, `;
  return new CibRefused('too-large', `${where}${path}: ${what}`, [{ path, element: name, id, line, message: what }]);
}
