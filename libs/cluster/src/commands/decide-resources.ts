import type { XmlElement } from '@systole/cib';
import type { ClusterEvent } from '../events/cluster-event.js';
import { fencingDevices } from '../fencing/device.js';
import type { ClusterState, NodeMember } from '../state/cluster-state.js';
import { isFailureAttribute } from '../state/fail-counts.js';
import { hasFailedOperation, hasLastFailure, historyOf, resourcesWithHistory, type OperationFilter } from '../state/history.js';
import { nodeStateOf, transientAttributes } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';
import { isMeant, primitivesOf } from '../state/primitives-of.js';
import { resultFrom, SERVER } from '../state/transition-results.js';
import type { CleanUpResource, RefreshResource } from './cluster-command.js';
import { isKnownNode } from '../remote/remote-nodes.js';
import type { Decision } from './decision.js';
import type { ClearFailures, DeleteHistory } from './worker-command.js';
import { accept, reject } from './rejection.js';

/** The resources that a node remembers, by history or fail count. */
export function rememberedOn(state: ClusterState, member: NodeMember): readonly string[] {
  const nodeState = nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  return [...new Set([...resourcesWithHistory(nodeState), ...withFailCount(nodeState)])];
}

/**
 * Those of them that failed there: they have a fail count, or an operation in their history that ended other than expected. While a node could not be
 * fenced, that speaks against every fence device: to clean it up is to have it tried again.
 */
export function failedOn(state: ClusterState, member: NodeMember): readonly string[] {
  const nodeState = nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  const blamed = Object.keys(state.fencingFailures).length === 0 ? [] : fencingDevices(state.cib, planTime(state)).map(({ id }) => id);
  const failed = resourcesWithHistory(nodeState).filter(
    (resource) => blamed.includes(resource) || hasFailedOperation(historyOf(nodeState, resource)),
  );
  return [...new Set([...failed, ...withFailCount(nodeState)])];
}

function withFailCount(nodeState: XmlElement): readonly string[] {
  return transientAttributes(nodeState).flatMap(({ name }) => /^(?:fail-count|last-failure)-(.+)#.+_\d+$/.exec(name)?.[1] ?? []);
}

/** @param which the resources of a node that may be forgotten */
export function forgetResource(command: CleanUpResource | RefreshResource, state: ClusterState, which: typeof rememberedOn): Decision {
  const { resource, node, reason } = command;
  const filter = command.type === 'clean-up-resource' ? filterOf(command) : {};
  if (node !== undefined && !isKnownNode(state, node)) {
    return reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
  }
  const members = Object.values(state.nodes).filter((member) => node === undefined || member.name === node);
  const configured = resource === undefined ? undefined : primitivesOf(state, resource);
  const meant = resource === undefined ? undefined : [...(configured ?? []), resource];
  const events: ClusterEvent[] = [];
  for (const member of members) {
    for (const remembered of which(state, member)) {
      if (meant !== undefined && !isMeant(remembered, meant)) continue;
      if (!hasFailedIn(state, member, remembered, filter)) continue;
      const of = { resource: remembered, node: member.name, ...(reason === undefined ? {} : { reason }) };
      events.push({ type: 'FailuresCleared', data: { ...of, ...filter } }, { type: 'HistoryDeleted', data: of });
    }
  }
  const known = (member: NodeMember): boolean => rememberedOn(state, member).some((id) => isMeant(id, meant ?? []));
  if (resource !== undefined && configured === undefined && !members.some(known)) {
    return reject(state, 'resource-not-found', `the cluster has no resource ${resource}`, { pointer: '/resource' });
  }
  return accept(...events);
}

function filterOf({ operation, intervalMs }: CleanUpResource): OperationFilter {
  return { ...(operation === undefined ? {} : { operation }), ...(intervalMs === undefined ? {} : { intervalMs }) };
}

/** Whether a resource has failed on a node in an operation; of no operation in particular nothing is asked. */
function hasFailedIn(state: ClusterState, member: NodeMember, resource: string, filter: OperationFilter): boolean {
  if (filter.operation === undefined && filter.intervalMs === undefined) return true;
  const nodeState = nodeStateOf(state.cib, member);
  if (nodeState === undefined) return false;
  const counted = transientAttributes(nodeState).some(({ name }) => isFailureAttribute(name, resource, filter));
  return counted || hasLastFailure(historyOf(nodeState, resource), resource, filter);
}

export function clearFailures(command: ClearFailures, state: ClusterState): Decision {
  const { resource, node, operation, intervalMs, graphAction } = command;
  const event: ClusterEvent = {
    type: 'FailuresCleared',
    data: {
      resource,
      node,
      ...(operation === undefined ? {} : { operation }),
      ...(intervalMs === undefined ? {} : { intervalMs }),
      ...(graphAction === undefined ? {} : { graphAction }),
    },
  };
  return alreadyJudged(state, graphAction) ?? accept(event);
}

export function deleteHistoryOf(command: DeleteHistory, state: ClusterState): Decision {
  const { resource, node, graphAction } = command;
  const data = { resource, node, ...(graphAction === undefined ? {} : { graphAction }) };
  return alreadyJudged(state, graphAction) ?? accept({ type: 'HistoryDeleted', data });
}

/** A decision for a graph counts only while that graph runs, and once. */
function alreadyJudged(state: ClusterState, action: ClearFailures['graphAction']): Decision | undefined {
  if (action === undefined) return undefined;
  const { transition } = state;
  if (transition?.number !== action.transition || transition.status !== 'running')
    return reject(state, 'stale-decision', `transition ${String(action.transition)} is not running any more`);
  return resultFrom(transition, action.id, SERVER) === undefined ? undefined : accept();
}
