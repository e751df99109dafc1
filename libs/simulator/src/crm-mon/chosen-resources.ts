import { type Cluster, type Resource, subtree } from '@systole/scheduler';
import type { MonitorSelection } from './monitor-facts.js';

/** Which resources a status is about, section by section. */
export interface ChosenResources {
  /** Whether a list of resources, or of bans, has it. */
  isShown(resource: Resource): boolean;
  /** Whether its operations and its fail counts are listed; undefined: what history alone knows. */
  hasHistory(resource: Resource | undefined): boolean;
  /** Whether a failure of it is listed. */
  hasFailure(failed: Cluster['failedOperations'][number]): boolean;
}

const EVERYTHING: ChosenResources = { isShown: () => true, hasHistory: () => true, hasFailure: () => true };

/** What of a cluster's resources is shown. */
export function chosenResources(cluster: Cluster, { resources, asked }: MonitorSelection): ChosenResources {
  if (asked !== undefined) return askedFor(cluster, asked);
  if (resources === undefined) return EVERYTHING;
  const isShown = ({ id }: Resource): boolean => resources.has(id);
  const known = cluster.resources.flatMap((top) => [...subtree(top)]).filter(isShown);
  const names = new Set(known.flatMap(({ id, xmlId, knownAs }) => [id, xmlId, knownAs]));
  const hasHistory = (one: Resource | undefined): boolean => one !== undefined && (names.has(one.knownAs) || names.has(one.xmlId));
  return { isShown, hasHistory, hasFailure: ({ resource }) => isShown(resource) };
}

/**
 * As `crm_mon --resource` of Pacemaker 2.1.5 was seen to choose: a list has what was asked for with what it is in and what is in it, of a clone whole
 * instances; the history of a clone or a bundle is listed as a whole; a failure is listed under the very name that was asked for.
 */
function askedFor(cluster: Cluster, asked: ReadonlySet<string>): ChosenResources {
  const all = cluster.resources.flatMap((top) => [...subtree(top)]);
  // Of a unique clone the id of the primitive stands for the first instance.
  const firsts = [...asked].flatMap((id) => (all.some((one) => one.id === id) ? [] : (all.find((one) => isUniqueOf(one, id)) ?? [])));
  const ids = new Set([...asked, ...firsts.map(({ id }) => id)]);
  const isMeant = (one: Resource): boolean => ids.has(one.id) || (!one.top.unique && ids.has(one.xmlId));
  const shown = new Set<Resource>();
  for (const one of all.filter(isMeant)) {
    for (let up = one.parent; up !== undefined; up = up.parent) shown.add(up);
    for (const within of subtree(instanceOf(one))) shown.add(within);
  }
  const isShown = (one: Resource): boolean => shown.has(one);
  return {
    isShown,
    hasHistory: (one) => one !== undefined && isShown(one.outermost.isCollective ? one.outermost : one),
    hasFailure: ({ key, element: { attributes } }) => {
      const suffix = `_${attributes['operation'] ?? ''}_${attributes['interval'] ?? '0'}`;
      return ids.has(key.endsWith(suffix) ? key.slice(0, -suffix.length) : key);
    },
  };
}

function isUniqueOf(one: Resource, id: string): boolean {
  return one.top.unique && one.xmlId === id;
}

/** The instance of a clone that it is in, or itself. */
function instanceOf(one: Resource): Resource {
  return one.parent === undefined || one.parent.isCollective ? one : one.parent.parent?.kind === 'clone' ? one.parent : one;
}
