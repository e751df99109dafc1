import { findOp } from '../operations/definitions.js';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import { Kind } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { addressIsDeferred, compareDigests, restartDigest } from '../operations/digests.js';
import { clearFailCount, clearFailCountOfEntry, failCount } from '../requests/fail-counts.js';
import { type Agent, isSameAgent } from '../model/agent.js';
import { intervalText } from '../model/interval-text.js';
import { activityIndexes, type HistoryEntry } from '../model/history-entry.js';
import type { ResourceOperations } from '../model/operation-memory.js';
import type { RecordedHistories } from '../model/recorded-histories.js';
import { requestOrdering, taskOf } from '../requests/ordering-requests.js';
import { cancelOperation } from './cancel.js';
import { fenceAction } from '../requests/fencing.js';
import { actionKey, requestAction, requestTask } from '../requests/action-requests.js';

const RESOURCE_CHANGE = 'resource definition change';

/** Primitives of one name whose history may have to be compared. */
interface Namesakes {
  readonly all: readonly Resource[];
  /** By the nodes where they are active, which are all that count where history's agent is theirs; only for several of one agent, none of them removed. */
  readonly activeOn: ReadonlyMap<ClusterNode, readonly Resource[]> | undefined;
}

/** Compares the history of every node that can act with the present configuration (specification 03 §12, 06 §7). */
export function checkDefinitions(cluster: Cluster): void {
  // The tree of resources stays as it is here, and every node has the same names.
  const named = new Map<string, Namesakes>();
  for (const node of cluster.nodes) {
    if (!node.maintenance && !node.usable) continue;
    const recorded = cluster.history.ofNode(node.name);
    if (!recorded) continue;
    for (let place = 0; place < recorded.ids.length; place++) {
      const id = recorded.ids[place];
      if (id === undefined) continue;
      let namesakes = named.get(id);
      if (!namesakes) named.set(id, (namesakes = gatherNamesakes(cluster.resourceNames.all(id))));
      const resources = concerned(namesakes, node, recorded.agents[place]);
      for (let index = resources.length - 1; index >= 0; index--) {
        const resource = resources[index];
        if (resource) checkResource(cluster, resource, node, recorded, place, resources.length === 1);
      }
    }
  }
}

function gatherNamesakes(named: readonly Resource[]): Namesakes {
  const all = named.filter((resource) => resource.isPrimitive && !isSurplus(resource));
  const [first] = all;
  if (!first || all.length === 1 || all.some((one) => one.removed || !isSameAgent(one.agent, first.agent)))
    return { all, activeOn: undefined };
  const activeOn = new Map<ClusterNode, Resource[]>();
  for (const resource of all) {
    for (const node of resource.activeOn) {
      const active = activeOn.get(node);
      if (active) active.push(resource);
      else activeOn.set(node, [resource]);
    }
  }
  return { all, activeOn };
}

const none: readonly Resource[] = [];

/** An anonymous clone may have thousands of instances of that name, of which one runs on the node. */
function concerned({ all, activeOn }: Namesakes, node: ClusterNode, agent: Agent | undefined): readonly Resource[] {
  const [first] = all;
  return !first || !activeOn || hasOtherAgent(first, agent) ? all : (activeOn.get(node) ?? none);
}

/** An instance too many of an anonymous clone, whose history is that of another one, too. */
function isSurplus({ removed, top }: Resource): boolean {
  return removed && top.kind === 'clone' && !top.unique;
}

/** @param alone whether the history can be of no other resource there */
function checkResource(
  cluster: Cluster,
  resource: Resource,
  node: ClusterNode,
  recorded: RecordedHistories,
  place: number,
  alone: boolean,
): void {
  const active = resource.activeOn.includes(node);
  const otherAgent = hasOtherAgent(resource, recorded.agents[place]) && (active || isKnown(resource, node));
  // What most histories are: probes that found nothing.
  if (!active && !otherAgent && !resource.removed) return;
  if (recorded.elements[place]?.children.some(({ kind }) => kind === 'element') !== true) return;
  if (resource.removed) {
    deleteHistory(cluster, resource, node);
    return;
  }
  if (otherAgent) {
    replaceAgent(cluster, resource, node, active);
    deleteHistory(cluster, resource, node);
  }
  if (!active) return;
  const lasting = alone && !otherAgent ? lastingOperations(cluster, resource, node) : undefined;
  if (lasting && recorded.agrees(place, lasting)) return;
  const entries = recorded.sorted(place);
  const { start, stop } = activityIndexes(entries);
  if (start < stop) return;
  let agrees = true;
  for (const [index, entry] of entries.entries()) {
    if (index >= start && !checkEntry(cluster, resource, node, entry)) agrees = false;
  }
  if (agrees && lasting && recorded.isAlone(place) && entries.every((entry) => isLasting(lasting, entry)))
    recorded.noteAgreement(place, lasting);
}

/**
 * What is remembered of a resource's operations, where the outcome of the comparison depends on that and the history alone: nothing is compared with them only later, nothing
 * was already, and nothing is in maintenance or has expired.
 */
function lastingOperations({ cib, digests }: Cluster, resource: Resource, node: ClusterNode): ResourceOperations | undefined {
  if (resource.maintenance || node.maintenance || resource.remoteConnection || resource.replica) return undefined;
  return cib.expiredFailures.size > 0 || digests.has(resource.id) ? undefined : resource.remembered;
}

/** Whether the meta table of what recurs is remembered, so that nobody has to be told of anything wrong with it. */
function isLasting({ metas }: ResourceOperations, { operation, interval }: HistoryEntry): boolean {
  return interval <= 0 || metas.get(operation ?? '')?.some((meta) => meta.interval === interval) === true;
}

/** Whether there was nothing to do. */
function checkEntry(cluster: Cluster, resource: Resource, node: ClusterNode, entry: HistoryEntry): boolean {
  const { operation, interval } = entry;
  if (operation === undefined) return true;
  if (interval > 0 && (resource.maintenance || node.maintenance)) {
    cancelRunning(cluster, resource, node, entry);
    return false;
  }
  if (interval <= 0 && !/^(monitor|start|promote|migrate_from)$/i.test(operation)) return true;
  if (!addressIsDeferred(cluster, resource)) return checkActiveEntry(cluster, resource, node, entry);
  cluster.deferredChecks.push({ kind: 'active', resource, node, entry });
  return false;
}

/** Whether there was nothing to do. */
function checkActiveEntry(cluster: Cluster, resource: Resource, node: ClusterNode, entry: HistoryEntry): boolean {
  const noted = cluster.scores.length;
  if (!definitionChanged(cluster, resource, node, entry)) return cluster.scores.length === noted;
  if (failCount(cluster, resource, node, { effective: true }).count !== 0)
    clearFailCount(cluster, resource, node, 'action definition changed');
  return false;
}

/** Checks that had to wait for placement, newest first (specification 03 §12.7). */
export function runDeferredChecks(cluster: Cluster): void {
  for (const { kind, resource, node, entry } of cluster.deferredChecks.reverse()) {
    if (kind === 'active') {
      checkActiveEntry(cluster, resource, node, entry);
    } else {
      const { verdict } = compareDigests(cluster, resource, entry, node);
      if (verdict === 'restart' || verdict === 'mismatch')
        clearFailCountOfEntry(cluster, resource, node, 'resource parameters have changed');
    }
  }
}

/** Checks one entry of an active resource, and acts on what changed (specification 03 §12.4). */
function definitionChanged(cluster: Cluster, resource: Resource, node: ClusterNode, entry: HistoryEntry): boolean {
  const { interval } = entry;
  const recorded = entry.operation ?? '';
  if (interval > 0 && !findOp(cluster, resource, recorded, interval, false)) {
    if (cluster.options.cancelRemovedActions) cancelRunning(cluster, resource, node, entry);
    return true;
  }
  const operation = interval === 0 && /^(monitor|migrate_from|promote)$/i.test(recorded) ? 'start' : recorded;
  const { verdict, privateOnly } = compareDigests(cluster, resource, entry, node);
  if (verdict === 'match') return false;
  if (privateOnly) {
    const magic = entry.element.attributes['transition-magic'] ?? '(null)';
    const operationText = `${intervalText(interval)}-interval ${operation} for ${resource.id} on ${node.name}`;
    cluster.note(`Only 'private' parameters to ${operationText} changed: ${magic}`);
    return false;
  }
  if (verdict !== 'restart' && interval > 0) {
    requestUnfencing(cluster, resource, node, 'Device parameters changed (reschedule)');
    requestAction(cluster, resource, actionKey(resource, operation, interval), operation, node, true).reschedule = true;
  } else if (verdict !== 'restart' && restartDigest(cluster, entry) !== undefined) {
    requestUnfencing(cluster, resource, node, 'Device parameters changed (reload)');
    reload(cluster, resource, node);
  } else {
    requestUnfencing(cluster, resource, node, 'Device parameters changed');
    requestAction(cluster, resource, actionKey(resource, operation, interval), operation, undefined, false).reason = RESOURCE_CHANGE;
  }
  return true;
}

/** Reload of a running resource with new parameters (specification 03 §12.4). */
function reload(cluster: Cluster, resource: Resource, node: ClusterNode): void {
  if (!resource.managed || resource.failed) return;
  if (resource.startInFlight) {
    requestTask(cluster, resource, 'stop', node, false);
    return;
  }
  planning(resource).reload = true;
  const action = requestTask(cluster, resource, 'reload-agent', node, false);
  action.reason ??= RESOURCE_CHANGE;
  for (const task of ['stop', 'demote']) requestOrdering(cluster, action, taskOf(resource, task), Kind.seq | Kind.cancelFirst);
}

/** Cancels a recurring operation that runs according to history (specification 06 §7.3). */
function cancelRunning(cluster: Cluster, resource: Resource, node: ClusterNode, entry: HistoryEntry): void {
  const action = cancelOperation(cluster, resource, entry.operation ?? '', entry.interval, node);
  const callId = entry.element.attributes['call-id'];
  if (callId !== undefined) action.meta.set('call_id', callId);
  requestOrdering(cluster, taskOf(resource, 'stop'), action, Kind.seq);
}

/** Whether a history told the state there, of the resource or of another instance of its anonymous clone (specification 03 §7.7). */
function isKnown(resource: Resource, node: ClusterNode): boolean {
  for (let at: Resource | undefined = resource; at; at = at.unique ? undefined : at.parent) if (at.knownOn.has(node)) return true;
  return false;
}

function hasOtherAgent(resource: Resource, agent: Agent | undefined): boolean {
  return agent === undefined || !isSameAgent(resource.agent, agent);
}

/** Another agent than the one in history: stop where it is active (specification 03 §12.5). */
function replaceAgent(cluster: Cluster, resource: Resource, node: ClusterNode, active: boolean): void {
  requestUnfencing(cluster, resource, node, 'Device definition changed');
  if (!active) return;
  requestTask(cluster, resource, 'stop', node, false);
  planning(resource).agentReplaced = true;
}

/** Deletes what the node's executor knows of the resource (specification 06 §12.1). */
function deleteHistory(cluster: Cluster, resource: Resource, node: ClusterNode): void {
  if (resource.failed || !node.clean) return;
  requestTask(cluster, resource, 'delete', node, false);
  requestOrdering(cluster, taskOf(resource, 'stop'), taskOf(resource, 'delete'), Kind.seq);
  requestOrdering(cluster, taskOf(resource, 'delete'), taskOf(resource, 'start'), Kind.seq);
}

/** Unfencing because a fence device changed (specification 03 §12.6). */
function requestUnfencing(cluster: Cluster, resource: Resource, node: ClusterNode, reason: string): void {
  if (!cluster.usesUnfencing || !resource.fenceDevice) return;
  const available = (one: ClusterNode): boolean => one.clean && !one.shutdown;
  const nodes = available(node) ? [node] : cluster.nodes.filter((one) => resource.candidates.has(one.index) && available(one));
  for (const one of nodes) fenceAction(cluster, one, 'on', false, reason, false);
}
