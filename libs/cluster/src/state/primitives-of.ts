import { childElements, firstChildNamed, primitiveIdOf, type XmlElement } from '@systole/cib';
import type { ClusterState } from './cluster-state.js';
import { configurationOf } from './configuration.js';

/** Ids of the primitives that an element of `resources` stands for, and `BUNDLE-` for all that a bundle makes; undefined when there is no such element. */
export function primitivesOf(state: Pick<ClusterState, 'cib'>, id: string): readonly string[] | undefined {
  const resources = firstChildNamed(configurationOf(state.cib), 'resources');
  const found = resources === undefined ? undefined : findResource(resources, id);
  return found === undefined ? undefined : idsOfPrimitives(found);
}

function findResource(parent: XmlElement, id: string): XmlElement | undefined {
  for (const child of childElements(parent)) {
    if (!['primitive', 'group', 'clone', 'master', 'bundle'].includes(child.name)) continue;
    const found = child.attributes['id'] === id ? child : findResource(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function idsOfPrimitives(of: XmlElement): readonly string[] {
  const { id } = of.attributes;
  if (of.name === 'primitive') return id === undefined ? [] : [id];
  const own = of.name === 'bundle' && id !== undefined ? [`${id}-`] : [];
  return [...own, ...childElements(of).flatMap((child) => idsOfPrimitives(child))];
}

/** Whether a resource that is remembered, or named in a plan, is (an instance of) one of those meant; an id ending in `-` stands for all that a bundle makes. */
export function isMeant(remembered: string, meant: readonly string[]): boolean {
  const base = primitiveIdOf(remembered);
  return meant.some((id) => id === remembered || id === base || (id.endsWith('-') && remembered.startsWith(id)));
}
