import type { AlertKind, AlertSelection } from '@systole/cib';
import type { ClusterEvent, FencingCompleted, NodeAttributeCleared, NodeAttributeSet, OperationRecorded } from '../events/cluster-event.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { joinedNodes } from '../remote/remote-nodes.js';
import { nodeIdOf } from '../state/configuration.js';
import { OP_STATUS, parseTransitionKey } from '../state/history.js';
import { changesAttribute, isPresentLife } from '../state/relevance.js';
import { outcomeWords } from './outcome-words.js';

/** Something that alerts are for: what of an event their programs are told. */
export interface AlertOccasion {
  readonly kind: AlertKind;
  /** What of it stands in the environment, by the names behind `CRM_alert_`. */
  readonly said: Readonly<Record<string, string>>;
  /** Names of the nodes on which the programs run. */
  readonly on: readonly string[];
  /** Of an attribute: its name. */
  readonly attribute?: string;
}

/**
 * What an event is to alerts; undefined: nothing (docs/spec/alerts.md). Where programs run is as with Pacemaker: what happens to nodes is told by every node that is there then, what happens to a resource by the node on which it
 * did, a change of an attribute by the node that has it, or, where that is not there, by the first one that is.
 *
 * @param before the state before the event
 * @param after the state with it
 */
export function alertOccasion(event: ClusterEvent, before: ClusterState, after: ClusterState): AlertOccasion | undefined {
  switch (event.type) {
    case 'NodeJoined':
    case 'NodeLeaseLost':
    case 'NodeLeft':
      return nodeOccasion(event.data.node, before, after);
    case 'OperationRecorded':
      return operationOccasion(event.data, before, after);
    case 'FencingCompleted':
      return fencingOccasion(event.data, after);
    case 'NodeAttributeSet':
    case 'NodeAttributeCleared':
      return changesAttribute(before, event) ? attributeOccasion(event, after) : undefined;
    default:
      return undefined;
  }
}

/** Whether an alert that selects so is for an occasion. */
export function isSelected({ kinds, attributes }: AlertSelection, { kind, attribute }: AlertOccasion): boolean {
  return kinds.has(kind) && (attribute === undefined || attributes === undefined || attributes.has(attribute));
}

/** A node that joins anew while it is there has not been away. */
function nodeOccasion(node: string, before: ClusterState, after: ClusterState): AlertOccasion | undefined {
  const [was, is] = [isThere(before, node), isThere(after, node)];
  if (was === is) return undefined;
  return { kind: 'node', said: { node, nodeid: nodeIdIn(after, node), desc: is ? 'member' : 'lost' }, on: joinedNodes(after) };
}

function isThere(state: ClusterState, node: string): boolean {
  return memberOf(state, node)?.membership === 'joined';
}

function nodeIdIn(state: ClusterState, node: string): string {
  return memberOf(state, node)?.id ?? nodeIdOf(state, node);
}

/** What nobody is told of: probes, and what is told to a resource or about it rather than done. */
const UNTOLD: ReadonlySet<string> = new Set(['notify', 'cancel', 'delete']);

function operationOccasion(data: OperationRecorded['data'], before: ClusterState, after: ClusterState): AlertOccasion | undefined {
  const { node, operation, intervalMs, status, rc } = data;
  if (UNTOLD.has(operation) || (operation === 'monitor' && intervalMs === 0)) return undefined;
  // What a former life of the node reports late: the cluster has moved on, and does not act upon it.
  if (data.incarnation > 0 && !isPresentLife(before, data)) return undefined;
  const said = {
    node,
    rsc: data.resource,
    task: operation,
    interval: String(intervalMs),
    rc: String(rc),
    target_rc: String(parseTransitionKey(data.transitionKey)?.expectedRc ?? 0),
    status: String(OP_STATUS[status]),
    exec_time: String(data.execMs),
    desc: outcomeWords(status, rc),
  };
  return { kind: 'resource', said, on: isThere(after, node) ? [node] : [] };
}

/** The end of the whole of it: an attempt that another one follows is not told of. */
function fencingOccasion(data: FencingCompleted['data'], after: ClusterState): AlertOccasion | undefined {
  const { target, action, executor, device, outcome, detail, exhausted, unasked, fencingId } = data;
  const isDone = data.confirmed ?? outcome === 'succeeded';
  if (unasked === true || (!isDone && exhausted !== true)) return undefined;
  const end = isDone ? 'OK' : `${outcome === 'timeout' ? 'Timed Out' : 'Error'}${detail === undefined ? '' : `: ${detail}`}`;
  const said = {
    node: target,
    task: 'st_notify_fence',
    rc: isDone ? '0' : '1',
    desc: `Operation ${action} of ${target} by ${executor} with ${device}: ${end} (ref=${fencingId})`,
  };
  return { kind: 'fencing', said, on: joinedNodes(after) };
}

/** As with Pacemaker those that last until the node leaves: what is set for good is a change of the configuration. */
function attributeOccasion(event: NodeAttributeSet | NodeAttributeCleared, after: ClusterState): AlertOccasion | undefined {
  const { node, name, lifetime } = event.data;
  if (lifetime === 'forever') return undefined;
  const value = event.type === 'NodeAttributeSet' ? event.data.value : '';
  const joined = joinedNodes(after);
  const said = { node, nodeid: nodeIdIn(after, node), attribute_name: name, attribute_value: value };
  return { kind: 'attribute', said, on: joined.includes(node) ? [node] : joined.slice(0, 1), attribute: name };
}
