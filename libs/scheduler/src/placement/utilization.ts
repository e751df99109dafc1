import { addPreference, type Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { INFINITY } from '../model/score.js';
import { colocationEffect } from './apply-colocation.js';
import { amount, compareCapacity } from './capacity.js';
import { thisWithColocations, withThisColocations } from './colocations.js';
import { candidateNodes } from './compare-nodes.js';
import { slotOrder } from './slot-order.js';

/**
 * Bans nodes that can't carry a primitive, with all that must be with it or at least alone (specification 04 §12.3). Returns the most capable
 * node when none can carry them all.
 */
export function checkCapacity(cluster: Cluster, resource: Resource): ClusterNode | undefined {
  if (cluster.options.placementStrategy === 'default') return undefined;
  const table = resource.candidates;
  const nodes = slotOrder(candidateNodes(cluster, table), (node) => node.id).filter((node) => node.usable && table.score(node.index) >= 0);
  const together = colocatedSet(resource);
  const needed = new Map<string, number>();
  for (const member of together) addNeeds(cluster, needed, member, together);
  const fits = (node: ClusterNode, needs: ReadonlyMap<string, number>): boolean =>
    [...needs].every(([name, need]) => amount(cluster, node.utilization.get(name)) >= need);
  let capable: ClusterNode | undefined;
  if (!nodes.some((node) => fits(node, needed))) {
    for (const node of nodes) if (!capable || compareCapacity(cluster, node, capable) < 0) capable = node;
    needed.clear();
    addOwn(cluster, needed, resource);
  }
  for (const node of nodes) if (!fits(node, needed)) addPreference(resource, node, -INFINITY, { kind: 'utilization' });
  return capable;
}

function addOwn(cluster: Cluster, needed: Map<string, number>, resource: Resource): void {
  for (const [name, value] of resource.utilization) needed.set(name, (needed.get(name) ?? 0) + amount(cluster, value));
}

/** Needs of one member of a colocated set, as far as unassigned (specification 04 §12.3 rule 2, 05 §14). */
function addNeeds(cluster: Cluster, needed: Map<string, number>, resource: Resource, together: ReadonlySet<Resource>): void {
  if (!resource.unassigned) return;
  switch (resource.kind) {
    case 'primitive':
      addOwn(cluster, needed, resource);
      break;
    case 'group':
      if (resource.colocated || resource.top.kind === 'clone') {
        for (const member of resource.children) if (!together.has(member)) addNeeds(cluster, needed, member, together);
      } else if (resource.children[0] && !together.has(resource.children[0])) {
        addNeeds(cluster, needed, resource.children[0], together);
      }
      break;
    case 'clone':
      addCloneNeeds(cluster, needed, resource, together);
      break;
    case 'bundle': {
      const container = resource.bundle?.replicas[0]?.container;
      if (container) addNeeds(cluster, needed, container, together);
    }
  }
}

function addCloneNeeds(cluster: Cluster, needed: Map<string, number>, clone: Resource, together: ReadonlySet<Resource>): void {
  let present = false;
  for (const instance of clone.children) {
    if (together.has(instance)) {
      present = true;
    } else if (instance.children.some((member) => together.has(member))) {
      addNeeds(cluster, needed, instance, together);
      present = true;
    }
  }
  const [first] = clone.children;
  if (!present && first) addNeeds(cluster, needed, first, together);
}

/** The resource and all that has to be on the same node (specification 04 §12.3 rule 1). */
function colocatedSet(resource: Resource): Set<Resource> {
  const together = new Set<Resource>([resource]);
  // Depth first, without recursion: chains may be long.
  const pending: Iterator<Resource, undefined, undefined>[] = [neighbours(resource)];
  for (let at = pending.at(-1); at; at = pending.at(-1)) {
    const next = at.next();
    if (next.done === true) {
      pending.pop();
    } else if (!together.has(next.value)) {
      together.add(next.value);
      pending.push(neighbours(next.value));
    }
  }
  return together;
}

function* neighbours(resource: Resource): Generator<Resource, undefined, undefined> {
  if (resource.kind === 'group' && (resource.colocated || resource.top.kind === 'clone')) yield* resource.children;
  for (const colocation of thisWithColocations(resource)) {
    const { primary, score } = colocation;
    if (score === INFINITY && colocationEffect(resource, primary, colocation, true) === 'location') yield primary;
  }
  for (const colocation of withThisColocations(resource)) {
    const { dependent, score } = colocation;
    if (resource.kind === 'clone' && dependent.kind !== 'clone') continue;
    if (score === INFINITY && colocationEffect(dependent, resource, colocation, true) === 'location') yield dependent;
  }
  return undefined;
}
