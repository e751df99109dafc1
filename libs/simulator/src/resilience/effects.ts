import { primitiveIdOf } from '@systole/cib';
import type { Cluster, ResourceSummary, Role } from '@systole/scheduler';
import { clusterStatus } from '../simulation/simulate.js';

/** Where a resource, or an instance of it, is active, and as what. */
export interface ActivePlace {
  readonly node: string;
  readonly role: Exclude<Role, 'Stopped' | 'Unknown'>;
}

/**
 * What becomes of a resource, the worst first:
 * - `down`: it ran, and runs nowhere any more;
 * - `demoted`: nothing of it is promoted any more;
 * - `reduced`: fewer instances run than before;
 * - `moved`: as many run, elsewhere or in other roles;
 * - `restarted`: it is where it was, and was stopped meanwhile.
 */
export type LossEffect = 'down' | 'demoted' | 'reduced' | 'moved' | 'restarted';

export interface AffectedResource {
  /** Id of a primitive; all instances of a clone of it are told of together. */
  readonly resource: string;
  readonly effect: LossEffect;
  readonly before: readonly ActivePlace[];
  readonly after: readonly ActivePlace[];
}

const EFFECTS: readonly LossEffect[] = ['down', 'demoted', 'reduced', 'moved', 'restarted'];

/** Where each primitive is active, by its name. */
export type Places = ReadonlyMap<string, readonly ActivePlace[]>;

/** What became of those that ran. @param stopped primitives that were stopped at some time meanwhile. @returns the worst first, then by name */
export function affectedBetween(before: Places, after: Places, stopped: ReadonlySet<string>): readonly AffectedResource[] {
  const affected = [...before].flatMap(([resource, were]): readonly AffectedResource[] => {
    const are = after.get(resource) ?? [];
    const effect = effectOf(were, are, stopped.has(resource));
    return effect === undefined ? [] : [{ resource, effect, before: were, after: are }];
  });
  const rank = ({ effect }: AffectedResource): number => EFFECTS.indexOf(effect);
  return affected.toSorted((one, other) => rank(one) - rank(other) || (one.resource < other.resource ? -1 : 1));
}

function effectOf(before: readonly ActivePlace[], after: readonly ActivePlace[], wasStopped: boolean): LossEffect | undefined {
  const promoted = (places: readonly ActivePlace[]): number => places.filter(({ role }) => role === 'Promoted').length;
  if (after.length === 0) return 'down';
  if (promoted(before) > 0 && promoted(after) === 0) return 'demoted';
  if (after.length < before.length) return 'reduced';
  if (textOf(before) !== textOf(after)) return 'moved';
  return wasStopped ? 'restarted' : undefined;
}

function textOf(places: readonly ActivePlace[]): string {
  return places.map(({ node, role }) => `${node} ${role}`).join();
}

const NOWHERE: ReadonlySet<string> = new Set();

/** Where each primitive that runs is active, by its name. @param lost nodes that are left out */
export function placesIn(cluster: Cluster, now: number, lost: ReadonlySet<string> = NOWHERE): Places {
  const found = new Map<string, ActivePlace[]>();
  const look = (resource: ResourceSummary): void => {
    for (const child of resource.children) look(child);
    const { id, kind, role, activeOn } = resource;
    if (kind !== 'primitive' || role === 'Stopped' || role === 'Unknown') return;
    const places = found.get(nameOf(id)) ?? [];
    places.push(...activeOn.filter((node) => !lost.has(node)).map((node) => ({ node, role })));
    if (places.length > 0) found.set(nameOf(id), places);
  };
  for (const resource of clusterStatus(cluster, now).resources) look(resource);
  for (const places of found.values()) places.sort((one, other) => (one.node < other.node ? -1 : 1));
  return found;
}

/** The name of a primitive, without the number of an instance. */
export function nameOf(id: string): string {
  return primitiveIdOf(id);
}
