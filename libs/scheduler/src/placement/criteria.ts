import { secondsOf } from '../requests/fencing.js';
import { requestTask } from '../requests/action-requests.js';
import { addPreference, type Cluster } from '../model/cluster.js';
import { ProbeMode } from '../model/candidates.js';
import type { LocationConstraint } from '../model/constraints.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import { RoleLevel } from '../model/role.js';
import { clampScore, INFINITY } from '../model/score.js';
import type { ScoreCause } from '../model/score-trail.js';
import { failCount, hasRecordedFailures } from '../requests/fail-counts.js';

/** Shutdown locks, before locations (specification 04 §5.5, 03 §9). */
export function applyShutdownLocks(cluster: Cluster): void {
  if (!cluster.options.shutdownLock) return;
  for (const top of cluster.resources) {
    const lockable = top.isPrimitive ? [top] : top.kind === 'group' ? top.children : [];
    for (const resource of lockable) {
      if (!resource.fenceDevice && (!resource.remoteConnection || resource.isGuestConnection)) applyShutdownLock(cluster, resource);
    }
  }
}

function applyShutdownLock(cluster: Cluster, resource: Resource): void {
  let lock = resource.shutdownLock;
  if (lock) {
    if (resource.activeOn.length > 0) {
      requestTask(cluster, resource, 'lrm_delete', lock.node, false);
      placing(resource).lockReleased = true;
      return;
    }
  } else {
    const [node] = resource.activeOn;
    if (!node || resource.activeOn.length !== 1 || !node.shutdown || node.unclean) return;
    lock = { node, time: cluster.cib.integer(node.attributes.get('shutdown')) || cluster.now };
    placing(resource).lockMade = lock;
  }
  const limit = secondsOf(cluster.options.shutdownLockLimit);
  if (limit > 0) cluster.proposeRecheck(lock.time + limit + 1);
  const cause = { kind: 'shutdown-lock', node: lock.node.name } as const;
  for (const node of cluster.nodes) if (node !== lock.node) addPreference(resource, node, -INFINITY, cause);
}

/** All location constraints, the one created last first (specification 04 §4.5). */
export function applyLocations(cluster: Cluster): void {
  for (let i = cluster.locations.length - 1; i >= 0; i--) {
    const location = cluster.locations[i];
    if (location) applyLocation(location.resource, location, 1);
  }
}

/** Applies a constraint to a resource and hands it on; `share` 0 makes entries without adding the score. */
export function applyLocation(resource: Resource, location: LocationConstraint, share: 0 | 1): void {
  applyToTable(resource, location, share);
  switch (resource.kind) {
    case 'primitive':
      break;
    case 'group':
      for (const [index, member] of resource.children.entries())
        applyLocation(member, location, resource.colocated && index > 0 ? 0 : share);
      break;
    case 'clone':
      for (const instance of resource.children) applyLocation(instance, location, share);
      break;
    case 'bundle':
      for (const { container, ip } of resource.bundle?.replicas ?? []) {
        applyLocation(container, location, share);
        if (ip) applyLocation(ip, location, share);
      }
      if (location.role === RoleLevel.Promoted && resource.bundle?.inner) placing(resource.bundle.inner).handedDownLocations.push(location);
  }
}

/** Effect on one table: a missing entry gets exactly the constraint's score. */
export function applyToTable(resource: Resource, location: LocationConstraint, share: 0 | 1, table = resource.candidates): void {
  if (location.role !== undefined && location.role !== resource.nextRole) return;
  for (const { node, score } of location.nodes) {
    const own = share === 0 ? 0 : score;
    if (table.has(node.index)) table.addScore(node.index, own, location.cause);
    else table.put(node.index, own, node.probeMode, location.cause);
    if ((table.mode(node.index) ?? ProbeMode.Always) < location.probeMode) {
      table.setMode(node.index, location.probeMode);
      if (location.probeMode === ProbeMode.Exclusive) placing(resource).exclusiveAsPlaced = true;
    }
  }
}

const STICKINESS: ScoreCause = { kind: 'stickiness' };

/** Stickiness of what is active on exactly one node (specification 04 §5.2). */
export function applyStickiness(cluster: Cluster): void {
  for (const resource of cluster.primitives()) {
    applyFailureStickiness(cluster, resource);
    const [node] = resource.activeOn;
    if (!resource.managed || resource.stickiness < 1 || !node || resource.activeOn.length !== 1) continue;
    if (cluster.options.symmetric || resource.candidates.has(node.index)) addPreference(resource, node, resource.stickiness, STICKINESS);
  }
}

/** Each failure lowers a node's score, where this extension is switched on (specification 09). */
function applyFailureStickiness(cluster: Cluster, resource: Resource): void {
  const fallback = cluster.options.failureStickiness;
  if (fallback === undefined) return;
  const text = resource.meta.get('resource-failure-stickiness') ?? resource.meta.get('resource_failure_stickiness');
  const perFailure = text === undefined ? fallback : (cluster.score(text) ?? 0);
  if (perFailure === 0) return;
  if (perFailure > 0) cluster.warn(`Resource ${resource.id}: a positive failure stickiness draws it to nodes where it fails`);
  for (const node of cluster.nodes) {
    if (!cluster.options.symmetric && !resource.candidates.has(node.index)) continue;
    const { count } = failCount(cluster, resource, node, { effective: true, withLaunched: true });
    if (count > 0) addPreference(resource, node, clampScore(count * perFailure), { kind: 'failures', count, each: perFailure });
  }
}

/** Bans after too many failures, then exclusive discovery (specification 04 §5.3, §5.4). */
export function applyThresholds(cluster: Cluster): void {
  for (const node of cluster.nodes) {
    if (![...node.attributes.keys()].some((name) => name.startsWith('fail-count-'))) continue;
    for (const leaf of cluster.primitives()) {
      const banned = bannedByThreshold(cluster, leaf, node);
      if (banned) addPreference(banned.resource, node, -INFINITY, banned.cause);
    }
  }
  for (const top of cluster.resources) if (top.exclusiveDiscovery) applyExclusiveDiscovery(top);
}

/** What a primitive's failures ban from the node, if they do: the primitive itself, or its whole anonymous clone. */
export function bannedByThreshold(
  cluster: Cluster,
  resource: Resource,
  node: ClusterNode,
): { readonly resource: Resource; readonly cause: ScoreCause } | undefined {
  if (resource.migrationThreshold === 0 || resource.failureIgnored) return undefined;
  if (resource.launched.length === 0 && !hasRecordedFailures(resource, node)) return undefined;
  if (resource.actions.exact(`${resource.id}_clear_failcount_0`, node).length > 0) return undefined;
  const { count } = failCount(cluster, resource, node, { effective: true, withLaunched: true });
  if (count <= 0 || resource.migrationThreshold - count > 0) return undefined;
  const { id, migrationThreshold: threshold } = resource;
  return {
    resource: resource.unique ? resource : resource.top,
    cause: { kind: 'migration-threshold', resource: id, failures: count, threshold },
  };
}

/** Leaves a resource only the nodes that its constraints mark; children are visited from a parent that is marked itself. */
function applyExclusiveDiscovery(resource: Resource): void {
  if (!resource.exclusiveDiscovery && !resource.top.exclusiveDiscovery) return;
  for (const child of resource.children) applyExclusiveDiscovery(child);
  const { candidates } = resource;
  for (const index of candidates.indexes())
    if (candidates.mode(index) !== ProbeMode.Exclusive) candidates.setScore(index, -INFINITY, { kind: 'exclusive-discovery' });
}
