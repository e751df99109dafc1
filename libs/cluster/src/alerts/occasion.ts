import { firstChildNamed, type AlertKind, type AlertSelection, type XmlElement } from '@systole/cib';
import type { ClusterEvent, FencingCompleted, OperationRecorded } from '../events/cluster-event.js';
import { joinedNodes } from '../remote/remote-nodes.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { nodeIdOf } from '../state/configuration.js';
import { OP_STATUS, parseTransitionKey } from '../state/history.js';
import { livesEndedBy } from '../state/ended-life.js';
import { nodeStateOf, transientAttributes } from '../state/node-state.js';
import { isPresentLife } from '../state/present-life.js';
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
 * What an event is to alerts, in the order in which it is told (docs/spec/alerts.md). Where programs run is as with Pacemaker: what happens to nodes is told by every node that is there then, what happens to a resource by the node on which it
 * did, a change of an attribute by the node that has it, or, where that is not there, by the first one that is.
 *
 * @param before the state before the event
 * @param after the state with it
 */
export function alertOccasions(event: ClusterEvent, before: ClusterState, after: ClusterState): readonly AlertOccasion[] {
  switch (event.type) {
    case 'NodeJoined':
    case 'NodeLeaseLost':
      return nodeOccasions(event.data.node, before, after);
    case 'NodeLeft':
      return [...nodeOccasions(event.data.node, before, after), ...endedWith(event, before, after)];
    case 'NodeConfirmedDown':
      return endedWith(event, before, after);
    case 'OperationRecorded':
      return [
        ...operationOccasions(event.data, before, after),
        ...attributeOccasions(event.data.node, before, after),
        ...endedWith(event, before, after),
      ];
    case 'FencingCompleted':
      return [...fencingOccasions(event.data, after), ...endedWith(event, before, after)];
    case 'NodeAttributeSet':
    case 'NodeAttributeCleared':
    case 'FailuresCleared':
    case 'NodeShutdownRequested':
      return attributeOccasions(event.data.node, before, after);
    default:
      return [];
  }
}

/** Whether an alert that selects so is for an occasion. */
export function isSelected({ kinds, attributes }: AlertSelection, { kind, attribute }: AlertOccasion): boolean {
  return kinds.has(kind) && (attribute === undefined || attributes === undefined || attributes.has(attribute));
}

/** Nodes that were there until an event: one that was fenced, and guests whose host or container is gone. */
function endedWith(event: ClusterEvent, before: ClusterState, after: ClusterState): readonly AlertOccasion[] {
  return livesEndedBy(before, event).flatMap(({ name }) => nodeOccasions(name, before, after));
}

/** A node that joins anew while it is there has not been away. */
function nodeOccasions(node: string, before: ClusterState, after: ClusterState): readonly AlertOccasion[] {
  const [was, is] = [isThere(before, node), isThere(after, node)];
  if (was === is) return [];
  return [{ kind: 'node', said: { node, nodeid: nodeIdIn(after, node), desc: is ? 'member' : 'lost' }, on: joinedNodes(after) }];
}

function isThere(state: ClusterState, node: string): boolean {
  return memberOf(state, node)?.membership === 'joined';
}

function nodeIdIn(state: ClusterState, node: string): string {
  return memberOf(state, node)?.id ?? nodeIdOf(state, node);
}

/** What nobody is told of: what is told to a resource or about it rather than done. */
const UNTOLD: ReadonlySet<string> = new Set(['notify', 'cancel', 'delete']);

function operationOccasions(data: OperationRecorded['data'], before: ClusterState, after: ClusterState): readonly AlertOccasion[] {
  const { node, operation, intervalMs, status, rc } = data;
  const expected = parseTransitionKey(data.transitionKey)?.expectedRc ?? 0;
  // A probe that finds what was expected is no news.
  if (UNTOLD.has(operation) || (operation === 'monitor' && intervalMs === 0 && rc === expected)) return [];
  // What a former life of the node reports late: the cluster has moved on, and does not act upon it.
  if (data.incarnation > 0 && !isPresentLife(before, data)) return [];
  const said = {
    node,
    rsc: data.resource,
    task: operation,
    interval: String(intervalMs),
    rc: String(rc),
    target_rc: String(expected),
    status: String(OP_STATUS[status]),
    exec_time: String(data.execMs),
    desc: outcomeWords(status, rc),
  };
  return [{ kind: 'resource', said, on: isThere(after, node) ? [node] : [] }];
}

/** The end of the whole of it: an attempt that another one follows is not told of. */
function fencingOccasions(data: FencingCompleted['data'], after: ClusterState): readonly AlertOccasion[] {
  const { target, action, executor, device, outcome, detail, exhausted, unasked, fencingId } = data;
  const isDone = data.confirmed ?? outcome === 'succeeded';
  if (unasked === true || (!isDone && exhausted !== true)) return [];
  const end = isDone ? 'OK' : `${outcome === 'timeout' ? 'Timed Out' : 'Error'}${detail === undefined ? '' : `: ${detail}`}`;
  const said = {
    node: target,
    task: 'st_notify_fence',
    rc: isDone ? '0' : '1',
    desc: `Operation ${action} of ${target} by ${executor} with ${device}: ${end} (ref=${fencingId})`,
  };
  return [{ kind: 'fencing', said, on: joinedNodes(after) }];
}

/**
 * As with Pacemaker those that last until the node leaves, whatever changes them: what is set for good is a change of the configuration, and of what ends with the node nobody is told.
 */
function attributeOccasions(node: string, before: ClusterState, after: ClusterState): readonly AlertOccasion[] {
  const [were, are] = [transientOf(before, node), transientOf(after, node)];
  if (areSame(were, are)) return [];
  const [was, is] = [valuesIn(were), valuesIn(are)];
  const changed = [...new Set([...is.keys(), ...was.keys()])].filter((name) => is.get(name) !== was.get(name));
  const joined = joinedNodes(after);
  const on = joined.includes(node) ? [node] : joined.slice(0, 1);
  return changed.map((name) => {
    const said = { node, nodeid: nodeIdIn(after, node), attribute_name: name, attribute_value: is.get(name) ?? '' };
    return { kind: 'attribute', said, on, attribute: name };
  });
}

function transientOf(state: ClusterState, node: string): XmlElement | undefined {
  const member = memberOf(state, node);
  return member === undefined ? undefined : nodeStateOf(state.cib, member);
}

/** Whether a life of a node has the same transient attributes: what is not changed is not copied. */
function areSame(one: XmlElement | undefined, other: XmlElement | undefined): boolean {
  const [first, second] = [one, other].map((nodeState) => nodeState && firstChildNamed(nodeState, 'transient_attributes'));
  return first === second;
}

function valuesIn(nodeState: XmlElement | undefined): ReadonlyMap<string, string> {
  return new Map((nodeState === undefined ? [] : transientAttributes(nodeState)).map(({ name, value }) => [name, value]));
}
