import { readingOf } from '@systole/cib';
import { awayNodes, type ClusterState, type StoppingCluster } from '@systole/cluster';
import { activeResources, type ResourceSummary } from '@systole/scheduler';
import type { Picture } from '../computing/task.js';
import { lacksFencing } from './reduced-troubles.js';
import type { StoppingDto, StoppingWaitDto } from './status.dto.js';

/**
 * What a cluster waits for that is to be deleted when nothing runs any more: each resource and node with why, and with what to do where time alone does nothing.
 *
 * @param now epoch ms, for rules
 */
export function stoppingOf(state: ClusterState, { since, reason }: StoppingCluster, seen: Seen, now: number): StoppingDto {
  const away = awayNodes(state);
  const unclean = seen.nodes.flatMap((node) => (node.unclean ? [node.name] : []));
  const toBeFenced = state.quorum?.quorate === true ? unclean : [];
  const reading = reasonsOf(state, seen, new Set(unclean), now);
  return {
    since,
    ...(reason === undefined ? {} : { reason }),
    active: activeResources(seen.resources),
    away,
    waitsFor: [
      ...activePrimitives(seen.resources).map((resource): StoppingWaitDto => ({
        kind: 'resource',
        name: resource.id,
        text: reading(resource),
      })),
      ...[...new Set([...away, ...toBeFenced])].map((name): StoppingWaitDto => ({
        kind: 'node',
        name,
        text: 'nobody knows what runs there: start its agent, let it be fenced, or make sure that it is off and run systole node confirm-down',
      })),
    ],
  };
}

type Seen = Pick<Picture, 'nodes' | 'resources'>;

function activePrimitives(resources: readonly ResourceSummary[]): readonly ResourceSummary[] {
  return resources.flatMap((resource) =>
    resource.children.length > 0 ? activePrimitives(resource.children) : resource.activeOn.length > 0 ? [resource] : [],
  );
}

/** Why a resource is active still. */
function reasonsOf(state: ClusterState, { nodes }: Seen, unclean: ReadonlySet<string>, now: number): (resource: ResourceSummary) => string {
  const inMaintenance = new Set(nodes.filter(({ maintenance }) => maintenance).map(({ name }) => name));
  const isMaintained = readingOf(state.cib, now).options.flag('maintenance-mode');
  const isUnprotected = lacksFencing(state, now);
  return ({ managed, blocked, nextRole, activeOn }) => {
    const silent = activeOn.filter((node) => unclean.has(node));
    if (silent.length > 0)
      return `it may run on ${silent.join(', ')}, which is unclean: that node has to be fenced or confirmed down first`;
    if (isUnprotected)
      return 'fencing is switched on without a fence device, so nothing is managed: configure one, or set stonith-enabled=false';
    if (isMaintained) return 'maintenance-mode is on: set it to false';
    const kept = activeOn.filter((node) => inMaintenance.has(node));
    if (kept.length > 0) return `${kept.join(', ')} is in maintenance: end that`;
    if (blocked) return 'it is blocked, as a stop of it failed: stop it by hand, then run systole resource cleanup';
    if (!managed)
      return 'it is not managed: set is-managed=true and maintenance=false, or stop it by hand and run systole resource refresh';
    return nextRole === 'Stopped' ? 'it is being stopped' : 'the scheduler can not stop it now: see systole explain';
  };
}
