import { type ConfiguredResource, type ConfigurationReading, primitiveIdOf } from '@systole/cib';
import type { ClusterState } from './cluster-state.js';
import { historyOf, isActive, isPromoted, resourcesWithHistory } from './history.js';
import { nodeStateOf } from './node-state.js';

/** Names of the nodes on which a resource is active, as far as their histories tell, and of those on which it is promoted. */
export interface ResourcePlaces {
  readonly active: readonly string[];
  readonly promoted: readonly string[];
}

/** Where a resource, or anything in it, is active on nodes that are there. Costs what these nodes remember. */
export function placesOf(state: ClusterState, reading: ConfigurationReading, resource: ConfiguredResource): ResourcePlaces {
  const ids = new Set(historyIds(reading, resource));
  const active: string[] = [];
  const promoted: string[] = [];
  for (const member of Object.values(state.nodes)) {
    const nodeState = nodeStateOf(state.cib, member);
    if (nodeState === undefined || member.membership === 'left' || member.membership === 'down') continue;
    const known = resourcesWithHistory(nodeState).filter((id) => ids.has(primitiveIdOf(id)) || isReplica(resource, id));
    const histories = known.map((id) => ({ id, history: historyOf(nodeState, id) }));
    if (histories.some(({ id, history }) => isActive(history, id))) active.push(member.name);
    if (histories.some(({ id, history }) => isPromoted(history, id))) promoted.push(member.name);
  }
  return { active, promoted };
}

function historyIds(reading: ConfigurationReading, { id }: ConfiguredResource): readonly string[] {
  const isWithin = (resource: ConfiguredResource | undefined): boolean =>
    resource !== undefined && (resource.id === id || isWithin(resource.parent));
  return reading.resources.filter((resource) => resource.kind === 'primitive' && isWithin(resource)).map((resource) => resource.id);
}

/** The containers of a bundle are where it is; what runs in them is on nodes of its own making. */
function isReplica({ kind, id }: ConfiguredResource, historyId: string): boolean {
  return kind === 'bundle' && historyId.startsWith(`${id}-`) && /^(?:docker|podman|rkt)-\d+$/.test(historyId.slice(id.length + 1));
}
