import type { ResourceSummary } from './schedule-result.js';

/** Ids of the primitives that are active anywhere, whether they are managed or not. */
export function activeResources(resources: readonly ResourceSummary[]): readonly string[] {
  return resources.flatMap(({ id, activeOn, children }) => {
    if (children.length > 0) return activeResources(children);
    return activeOn.length > 0 ? [id] : [];
  });
}
