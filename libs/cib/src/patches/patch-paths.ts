import type { XmlElement } from '../xml/element.js';

/** Steps of a path as patches write them: `/cib/configuration/nodes/node[@id='1']`; undefined for what is none. */
export function stepsOf(path: string): readonly PatchStep[] | undefined {
  const steps: PatchStep[] = [];
  const step = /\/([^/[\]@']+)(?:\[@id='([^']*)'\])?/y;
  while (step.lastIndex < path.length) {
    const [, name, id] = step.exec(path) ?? [];
    if (name === undefined) return undefined;
    steps.push(id === undefined ? { name } : { name, id });
  }
  return steps.length === 0 ? undefined : steps;
}

/** An element by its name, and by its id where it has one. */
export interface PatchStep {
  readonly name: string;
  readonly id?: string;
}

/** What a patch calls the comments among the children of an element. */
export const COMMENT_STEP = 'comment';

/** The step to an element. Ids are names, so that no quote stands in one. */
export function stepTo({ name, attributes: { id } }: XmlElement): string {
  return id === undefined ? `/${name}` : `/${name}[@id='${id}']`;
}

/** Whether a step leads to an element. */
export function isAt({ name, id }: PatchStep, one: XmlElement): boolean {
  return one.name === name && (id === undefined || one.attributes['id'] === id);
}
