import { childrenNamed, firstChildNamed, type XmlElement } from '@systole/cib';
import { readNodeAttributes } from '../nodes.js';
import { requestTask } from '../../requests/action-requests.js';
import type { Cluster } from '../../model/cluster.js';
import type { ClusterNode } from '../../model/node.js';
import type { Resource } from '../../model/resource.js';
import { observing } from '../../model/resource/observing.js';
import { RoleLevel } from '../../model/role.js';
import { currentNode } from '../../model/activity.js';
import { isTrue, stateNode, unpackNodeStates } from './node-states.js';
import { unpackHistory } from './unpack-history.js';

/** The status section: node states first, then the histories in passes (specification 03 §2, §4). */
export function unpackStatus(cluster: Cluster): void {
  unpackNodeStates(cluster);
  const containersToStop: Resource[] = [];
  const status = cluster.cib.firstNamed('status');
  const states = status ? childrenNamed(status, 'node_state') : [];
  while (readHistories(cluster, states, false, containersToStop)) {
    // A guest's history is read once its connection and launcher are known to run.
  }
  readHistories(cluster, states, true, containersToStop);
  for (const container of containersToStop.reverse()) {
    const node = currentNode(container);
    if (node) requestTask(cluster, container, 'stop', node, false);
  }
  for (const node of cluster.nodes) {
    if (!node.remoteType) continue;
    if (node.shutdown && node.connection) observing(node.connection).nextRole = RoleLevel.Stopped;
    if (!node.historyDone) determineRemoteState(node);
  }
}

/** One pass; true when it read any history (specification 03 §4.2). */
function readHistories(cluster: Cluster, states: readonly XmlElement[], final: boolean, containersToStop: Resource[]): boolean {
  let read = false;
  for (const state of states) {
    const { id, uname } = state.attributes;
    if (id === undefined || uname === undefined) continue;
    const node = stateNode(cluster, state);
    if (!node || node.historyDone) continue;
    if (!(final && cluster.options.fencingEnabled) && !historyCounts(cluster, node)) continue;
    if (node.remoteType) {
      determineRemoteState(node);
      unpackRemoteState(cluster, node, state);
    }
    node.historyDone = true;
    unpackHistory(cluster, node, state, containersToStop);
    read = true;
  }
  return read;
}

function historyCounts(cluster: Cluster, node: ClusterNode): boolean {
  const { options } = cluster;
  const { connection } = node;
  if (node.isGuest) return connection?.currentRole === RoleLevel.Started && connection.launcher?.currentRole === RoleLevel.Started;
  if (node.remoteType) return connection !== undefined && (options.shutdownLock || connection.currentRole === RoleLevel.Started);
  return options.fencingEnabled || options.shutdownLock || node.online;
}

/** Whether a node of remote type is online, from the state of its connection (specification 03 §5.1). */
function determineRemoteState(node: ClusterNode): void {
  const { connection } = node;
  if (!connection) {
    node.online = false;
    return;
  }
  const { launcher } = connection;
  const host = launcher && connection.activeOn.length === 1 ? connection.activeOn[0] : undefined;
  if (connection.currentRole === RoleLevel.Started) {
    node.online = true;
    if (connection.nextRole === RoleLevel.Stopped) node.shutdown = true;
  }
  if (launcher?.failed) {
    node.online = false;
    node.toBeReset = true;
  } else if (connection.failed) {
    node.online = false;
  } else if (connection.currentRole === RoleLevel.Stopped || launcher?.currentRole === RoleLevel.Stopped) {
    node.online = false;
    node.toBeReset = false;
  } else if (host && !host.online && host.unclean) {
    node.online = false;
    node.toBeReset = true;
  }
}

/** Attributes and state of a node of remote type (specification 03 §5.2). */
function unpackRemoteState(cluster: Cluster, node: ClusterNode, state: XmlElement): void {
  node.maintenanceRecorded = (cluster.cib.integer(state.attributes['node_in_maintenance']) ?? 0) !== 0;
  if (!node.toBeReset) {
    node.unclean = false;
    node.statusCertain = true;
  }
  readNodeAttributes(cluster, node, { element: firstChildNamed(state, 'transient_attributes'), lifetime: 'reboot' });
  if (node.shutdownRequested) node.shutdown = true;
  if (isTrue(cluster, node, 'standby')) node.standby = true;
  if (isTrue(cluster, node, 'maintenance') || node.connection?.managed === false) node.maintenance = true;
  const discovery = node.attributes.get('resource-discovery-enabled');
  if (discovery !== undefined && cluster.cib.boolean(discovery) !== true && !(node.isRemote && !cluster.options.fencingEnabled))
    node.probingOn = false;
}
