import { placeOfRoot, walkWithPlaces } from '../schema/problem-path.js';
import { firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { pointerTo } from './json-pointer.js';
import type { WrittenPlace, WrittenPlaces } from './write-element.js';

/**
 * Finds the JSON that a problem of a document is about, by the problem's path and attribute; what stands in no written element has no place. An id that is there twice is told of the later one, which may be the
 * one that was there before. Costs what the configuration holds, once.
 *
 * @param places of what was written into the document
 */
export function pointersOf(
  document: XmlElement,
  places: WrittenPlaces,
): (problem: { readonly path?: string; readonly attribute?: string }) => string | undefined {
  const byPath = new Map<string, WrittenPlace>();
  const configuration = firstChildNamed(document, 'configuration');
  if (configuration !== undefined) {
    walkWithPlaces(configuration, placeOfRoot(configuration, '/cib/configuration'), (element, { path }) => {
      const place = places.get(element);
      if (place !== undefined) byPath.set(path, place);
    });
  }
  const pointerOfId = (path: string): string | undefined => {
    const id = /\[@id='([^']*)'\]$/.exec(path)?.[1];
    for (const [element, { pointer, short }] of places) {
      if (id !== undefined && element.attributes['id'] === id) return short ? pointer : pointerTo(pointer, 'id');
    }
    return undefined;
  };
  return ({ path = '', attribute }) => {
    const place = byPath.get(path);
    if (place === undefined) return attribute === 'id' ? pointerOfId(path) : undefined;
    return attribute === undefined || place.short ? place.pointer : pointerTo(place.pointer, attribute);
  };
}
