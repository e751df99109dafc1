import type { XmlElement } from '../xml/element.js';

/** One step of a problem's path: by id, or by number among its siblings of that name where there is none. */
export function problemStep(element: XmlElement, count: number): string {
  const { id } = element.attributes;
  if (id !== undefined && !id.includes("'")) return `${element.name}[@id='${id}']`;
  return count > 1 ? `${element.name}[${count}]` : element.name;
}

/** Calls for the element and everything below it, parents first, with its path. */
export function walkWithPaths(element: XmlElement, path: string, visit: (element: XmlElement, path: string) => void): void {
  visit(element, path);
  const counts = new Map<string, number>();
  for (const child of element.children) {
    if (child.kind !== 'element') continue;
    const count = (counts.get(child.name) ?? 0) + 1;
    counts.set(child.name, count);
    walkWithPaths(child, `${path}/${problemStep(child, count)}`, visit);
  }
}
