import type { XmlElement } from '@systole/cib';
import { secondsOf } from '../../requests/fencing.js';
import { requestAction, actionKey } from '../../requests/action-requests.js';
import { targetRole } from '../meta.js';
import { Handling } from '../../operations/definitions.js';
import { setLauncher } from '../resources.js';
import type { Cluster } from '../../model/cluster.js';
import type { ClusterNode } from '../../model/node.js';
import type { Resource } from '../../model/resource.js';
import { observing } from '../../model/resource/observing.js';
import { RoleLevel } from '../../model/role.js';
import { applyHistory } from './apply-history.js';
import { activityIndexes, type HistoryEntry } from '../../model/history-entry.js';
import { addRemovedResource } from '../removed-resource.js';
import type { RecordedHistories } from '../../model/recorded-histories.js';
import { hasRecordedFailures } from '../../requests/fail-counts.js';
import { resourceOfHistory } from './instance-choice.js';
import { readHistoryEntry } from './read-entry.js';
import type { Reading } from './reading.js';

/** The history of one node, resource by resource in document order (specification 03 §7). */
export function unpackHistory(cluster: Cluster, node: ClusterNode, state: XmlElement, containersToStop: Resource[]): void {
  const recorded = cluster.history.ofState(state);
  if (!recorded) return;
  let lostLaunched = false;
  for (let place = 0; place < recorded.ids.length; place++) {
    const id = recorded.ids[place];
    const resource = id === undefined ? undefined : unpackResourceHistory(cluster, node, id, recorded, place, containersToStop);
    if (resource?.lostLaunched) lostLaunched = true;
  }
  if (lostLaunched) for (const history of recorded.elements) linkLostLaunched(cluster, history);
}

/** Removed connections find their launcher when it still exists (specification 03 §8). */
function linkLostLaunched(cluster: Cluster, historyElement: XmlElement): void {
  const { id, container } = historyElement.attributes;
  if (id === undefined || container === undefined) return;
  const launcher = cluster.resourceNames.first(container);
  const resource = cluster.resourceNames.first(id);
  if (launcher && resource && resource !== launcher && !resource.launcher && resource.lostLaunched) setLauncher(resource, launcher);
}

function unpackResourceHistory(
  cluster: Cluster,
  node: ClusterNode,
  id: string,
  recorded: RecordedHistories,
  place: number,
  containersToStop: Resource[],
): Resource | undefined {
  const isEmpty = !recorded.saysOnlyAbsent(place) && recorded.sorted(place).length === 0;
  if (isEmpty && !cluster.options.shutdownLock) return undefined;
  let resource = resourceOfHistory(cluster, node, id);
  if (!resource) {
    if (isEmpty) return undefined;
    resource = addRemovedResource(cluster, recorded.elements[place]?.attributes ?? {}, id);
    if (!resource) return undefined;
  }
  if (cluster.options.shutdownLock) readShutdownLock(cluster, resource, node, recorded.elements[place]?.attributes ?? {});

  const roleBefore = resource.currentRole;
  const reading: Reading = { cluster, resource, node, lastFailure: undefined, handling: Handling.Ignore };
  if (recorded.saysOnlyAbsent(place) && (resource.failureTimeout <= 0 || !hasRecordedFailures(resource, node))) {
    observing(resource).observedRole = RoleLevel.Stopped;
    observing(resource).nextRole = RoleLevel.Unknown;
  } else {
    observing(resource).observedRole = RoleLevel.Unknown;
    const entries = recorded.sorted(place);
    for (const entry of entries) readHistoryEntry(reading, entry);
    addRecurring(cluster, resource, node, entries);
  }
  applyHistory(reading, containersToStop);
  const target = targetRole(resource);
  if (target !== undefined && (resource.nextRole === RoleLevel.Unknown || target < resource.nextRole))
    observing(resource).nextRole = target;
  if (roleBefore > resource.currentRole) observing(resource).observedRole = roleBefore;
  return resource;
}

/** Shutdown locks recorded in history (specification 03 §9). */
function readShutdownLock(cluster: Cluster, resource: Resource, node: ClusterNode, attributes: XmlElement['attributes']): void {
  const time = cluster.cib.integer(attributes['shutdown-lock']) ?? 0;
  if (time === 0) return;
  const limit = secondsOf(cluster.options.shutdownLockLimit);
  if (limit > 0 && cluster.now > time + limit) {
    requestAction(cluster, resource, actionKey(resource, 'lrm_delete'), 'lrm_delete', node, false);
  } else {
    observing(resource).recordedLock = { node, time };
  }
}

/** Recurring operations that run according to history are optional actions from the start (specification 03 §7.8). */
function addRecurring(cluster: Cluster, resource: Resource, node: ClusterNode, entries: readonly HistoryEntry[]): void {
  if (!node.online || !entries.some(({ interval }) => interval !== 0)) return;
  const { start, stop } = activityIndexes(entries);
  for (const [index, entry] of entries.entries()) {
    if (start < stop && index <= stop) continue;
    if (index < start || entry.interval === 0 || entry.operation === undefined) continue;
    if (entry.element.attributes['op-status'] === '-1') continue;
    requestAction(cluster, resource, actionKey(resource, entry.operation, entry.interval), entry.operation, node, true);
  }
}
