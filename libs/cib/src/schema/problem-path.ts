import type { XmlElement } from '../xml/element.js';

/** One step of a problem's path: by id, or by number among its siblings of that name where there is none. */
function problemStep(element: XmlElement, count: number): string {
  const { id } = element.attributes;
  if (id !== undefined && !id.includes("'")) return `${element.name}[@id='${id}']`;
  return count > 1 ? `${element.name}[${count}]` : element.name;
}

/** Where an element is. */
export interface Place {
  readonly path: string;
  /** Line of its start tag; for an element that an upgrade made, that of the nearest one around it that was read. */
  readonly line: number | undefined;
}

export function placeOfRoot(element: XmlElement, path: string): Place {
  return { path, line: element.line };
}

/** `count`: its number among its siblings of that name. */
export function placeOfChild(child: XmlElement, count: number, parent: Place): Place {
  return { path: `${parent.path}/${problemStep(child, count)}`, line: child.line ?? parent.line };
}

/** Calls for the element and everything below it, parents first, with its place. */
export function walkWithPlaces(element: XmlElement, place: Place, visit: (element: XmlElement, place: Place) => void): void {
  visit(element, place);
  const counts = new Map<string, number>();
  for (const child of element.children) {
    if (child.kind !== 'element') continue;
    const count = (counts.get(child.name) ?? 0) + 1;
    counts.set(child.name, count);
    walkWithPlaces(child, placeOfChild(child, count, place), visit);
  }
}
