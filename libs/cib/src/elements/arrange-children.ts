import type { ElementType } from '../schema/element-type.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { childTypeOf } from './shown-element.js';

/** A child that was written, and what it takes the place of. */
export interface WrittenChild {
  readonly element: XmlElement;
  readonly over: XmlElement | undefined;
}

/**
 * The children of an element in order: those of one name as they were given, at the places of those that they were written over. A new one follows the one that it was given after;
 * the first ones of a name stand where the schema lists it. Comments, and what the schema does not know, stay.
 */
export function arrangeChildren(
  type: ElementType,
  written: ReadonlyMap<string, readonly WrittenChild[]>,
  over: XmlElement | undefined,
): readonly XmlNode[] {
  const taken = new Set([...written.values()].flatMap((children) => children.flatMap(({ over: before }) => before ?? [])));
  const kept = (over?.children ?? []).filter(
    (child) => child.kind === 'comment' || taken.has(child) || childTypeOf(type, child.name) === undefined,
  );
  const queues = new Map([...written].map(([name, children]) => [name, [...children]]));
  const result: XmlNode[] = [];
  for (const child of kept) {
    const queue = child.kind === 'element' && taken.has(child) ? queues.get(child.name) : undefined;
    if (queue === undefined) {
      result.push(child);
      continue;
    }
    // The new ones that were given before the first of those that were there.
    if (queue.length === written.get(queue[0]?.element.name ?? '')?.length) result.push(...newOnes(queue));
    const next = queue.shift();
    if (next !== undefined) result.push(next.element, ...newOnes(queue));
  }
  const order = Object.keys(type.children ?? {});
  for (const [name, queue] of queues) {
    if (queue.length === 0) continue;
    const later = new Set(order.slice(order.indexOf(name) + 1));
    const place = result.findIndex((child) => child.kind === 'element' && later.has(child.name));
    result.splice(place < 0 ? result.length : place, 0, ...queue.map(({ element }) => element));
  }
  return result;
}

/** Takes those off the queue that were written over nothing, up to the first that was. */
function newOnes(queue: WrittenChild[]): XmlElement[] {
  const count = queue.findIndex(({ over }) => over !== undefined);
  return queue.splice(0, count < 0 ? queue.length : count).map(({ element }) => element);
}
