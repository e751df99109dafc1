import type { XmlElement } from '../xml/element.js';

/** One step of a path: an element by name, and by id if it has one. */
export interface PathStep {
  readonly name: string;
  readonly id: string | undefined;
}

/** How an element is told from its siblings: by name and id, or by name alone. */
export function keyOf(element: XmlElement): string {
  return stepKey({ name: element.name, id: element.attributes['id'] });
}

/** The key of the element that a step leads to. */
export function stepKey({ name, id }: PathStep): string {
  return id === undefined || id === '' ? name : `${name} ${id}`;
}

/** The text of a step: `primitive[@id='db']` or `resources`; undefined for an id that no quotes can hold. */
export function formatStep(element: XmlElement): string | undefined {
  const id = element.attributes['id'];
  if (id === undefined || id === '') return element.name;
  if (!id.includes("'")) return `${element.name}[@id='${id}']`;
  return id.includes('"') ? undefined : `${element.name}[@id="${id}"]`;
}

/** Reads a path; undefined when it is none. The empty text is the path of no steps. */
export function parsePath(path: string): PathStep[] | undefined {
  const steps: PathStep[] = [];
  let index = 0;
  while (index < path.length) {
    const end = nameEnd(path, index);
    const name = path.slice(index, end);
    if (name === '') return undefined;
    index = end;
    let id: string | undefined;
    if (path.startsWith(ID_OPEN, index)) {
      const quote = path.charAt(index + ID_OPEN.length);
      const start = index + ID_OPEN.length + 1;
      const close = quote === "'" || quote === '"' ? path.indexOf(`${quote}]`, start) : -1;
      if (close < 0) return undefined;
      id = path.slice(start, close);
      index = close + 2;
    }
    steps.push({ name, id });
    if (index === path.length) break;
    if (path.charAt(index) !== '/' || index + 1 === path.length) return undefined;
    index += 1;
  }
  return steps;
}

const ID_OPEN = '[@id=';

function nameEnd(path: string, from: number): number {
  let index = from;
  while (index < path.length && path.charAt(index) !== '/' && path.charAt(index) !== '[') index += 1;
  return index;
}
