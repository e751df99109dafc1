import { currentNode } from '../model/activity.js';
import { requestAction } from '../requests/action-requests.js';
import type { Action } from '../model/action.js';
import { type Cluster, leaves } from '../model/cluster.js';
import { compareBytes, compareNatural } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';
import { Kind, relate } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { RoleLevel } from '../model/role.js';
import { INFINITY } from '../model/score.js';
import type { NotifyPhase, NotifyPoints } from '../model/notify-points.js';

interface Item {
  readonly resource: string;
  readonly node: ClusterNode | undefined;
}

type ListName = NotifyPhase | 'active' | 'inactive' | 'unpromoted' | 'promoted';

const phases = ['start', 'stop', 'promote', 'demote'] as const;

/** Notifications of a clone, made when its actions are about to be written (specification 07 §8.2). */
export function createNotifications(cluster: Cluster, clone: Resource): void {
  const points = cluster.notifyPoints.get(clone);
  if (!points) return;
  const lists = collect(clone);
  const keys = notifyKeys(cluster, clone, lists);
  for (const phase of phases) {
    const phasePoints = points[phase];
    if (!phasePoints) continue;
    const wanted = lists[phase].length > 0;
    if (wanted) for (const point of Object.values(phasePoints) as (Action | undefined)[]) if (point) point.optional = false;
    createInstanceNotifications(cluster, clone, phase, phasePoints, keys, wanted);
  }
}

/** Who is where, and who is about to change (specification 07 §8.3). */
function collect(clone: Resource): Record<ListName, Item[]> {
  const lists: Record<ListName, Item[]> = {
    start: [],
    stop: [],
    promote: [],
    demote: [],
    active: [],
    inactive: [],
    unpromoted: [],
    promoted: [],
  };
  for (const leaf of leaves(clone)) {
    const item: Item = { resource: leaf.id, node: leaf.activeOn[0] };
    switch (leaf.currentRole) {
      case RoleLevel.Stopped:
        lists.inactive.push(item);
        break;
      case RoleLevel.Started:
        lists.active.push(item);
        break;
      case RoleLevel.Unpromoted:
        lists.unpromoted.push(item);
        lists.active.push(item);
        break;
      case RoleLevel.Promoted:
        lists.promoted.push(item);
        lists.active.push(item);
        break;
    }
    for (const action of leaf.actions.all) {
      const { task, node } = action;
      if (action.optional || !node || !isPhase(task)) continue;
      if (action.runnable || (task === 'stop' && node.unclean)) lists[task].push({ resource: leaf.id, node });
    }
  }
  return lists;
}

function isPhase(task: string): task is NotifyPhase {
  return task === 'start' || task === 'stop' || task === 'promote' || task === 'demote';
}

const words = (list: readonly string[]): string => (list.length === 0 ? ' ' : list.join(' '));

/** Meta values that every notification of a phase carries (specification 07 §8.3). */
function notifyKeys(cluster: Cluster, clone: Resource, lists: Record<ListName, Item[]>): Map<string, string> {
  const keys = new Map<string, string>();
  const put = (names: readonly string[], items: Item[], withNodes: boolean): void => {
    const sorted = items.sort((a, b) => compareBytes(a.resource, b.resource) || compareBytes(a.node?.id ?? '', b.node?.id ?? ''));
    const unique = sorted.filter((item, index) => item.resource !== sorted[index - 1]?.resource);
    for (const name of names) {
      keys.set(`notify_${name}_resource`, words(unique.map(({ resource }) => resource)));
      if (withNodes) keys.set(`notify_${name}_uname`, words(unique.flatMap(({ node }) => (node ? [node.name] : []))));
    }
  };
  for (const phase of phases) put([phase], lists[phase], true);
  put(['active'], lists.active, true);
  put(['unpromoted', 'slave'], lists.unpromoted, true);
  put(['promoted', 'master'], lists.promoted, true);
  put(['inactive'], lists.inactive, false);
  const allowed = cluster.nodes.filter((node) => clone.candidates.has(node.index)).map(({ name }) => name);
  keys.set('notify_available_uname', words(allowed.sort(compareNatural)));
  keys.set('notify_all_uname', words(cluster.nodes.map(({ name }) => name)));
  if (clone.meta.get('container-attribute-target') === 'host') {
    const host = ({ isGuest, connection }: ClusterNode): ClusterNode | undefined =>
      isGuest && connection?.launcher ? currentNode(connection.launcher) : undefined;
    keys.set('notify_all_hosts', words(cluster.nodes.map((node) => (host(node) ?? node).name)));
  }
  return keys;
}

/** The notify actions of all instances for one phase (specification 07 §8.5). */
export function createInstanceNotifications(
  cluster: Cluster,
  top: Resource,
  phase: NotifyPhase,
  points: NotifyPoints,
  keys: ReadonlyMap<string, string>,
  wanted: boolean,
): void {
  for (const leaf of leaves(top)) notifyInstance(cluster, leaf, phase, points, keys, wanted);
}

function notifyInstance(
  cluster: Cluster,
  resource: Resource,
  phase: NotifyPhase,
  points: NotifyPoints,
  keys: ReadonlyMap<string, string>,
  wanted: boolean,
): void {
  for (const action of resource.actions.all) {
    if (action.optional || !action.node || !isPhase(action.task)) continue;
    for (const [name, value] of keys) action.meta.set(name, value);
  }
  if (phase !== 'stop' && !wanted) return;
  if (phase === 'stop' || phase === 'demote') {
    if (resource.currentRole === RoleLevel.Stopped) return;
    const stop = resource.newestAction('stop');
    for (const node of resource.activeOn) {
      if (stop?.pseudo && (node.unclean || (node.isGuest && node.toBeReset))) continue;
      notifyOn(cluster, resource, node, points.pre, points.preDone, keys);
      if (phase === 'demote' || !stop || stop.optional) postNotify(cluster, resource, node, points, keys);
    }
    return;
  }
  if (resource.nextRole === RoleLevel.Stopped) return;
  const start = resource.newestAction('start');
  const connectionStart = start?.node?.remoteType ? start.node.connection?.newestAction('start') : undefined;
  if (connectionStart && !connectionStart.runnable) return;
  const node = resource.assignedNode;
  if (phase === 'promote' || !start || start.optional) notifyOn(cluster, resource, node, points.pre, points.preDone, keys);
  postNotify(cluster, resource, node, points, keys);
}

function notifyOn(
  cluster: Cluster,
  resource: Resource,
  node: ClusterNode | undefined,
  point: Action | undefined,
  done: Action | undefined,
  keys: ReadonlyMap<string, string>,
): Action | undefined {
  if (!point || !done || !node?.online || !point.runnable) return undefined;
  const key = `${resource.id}_${point.meta.get('notify_type') ?? ''}_notify_${point.meta.get('notify_operation') ?? ''}_0`;
  const action = requestAction(cluster, resource, key, 'notify', node, point.optional);
  for (const [name, value] of point.meta.entries()) if (!action.meta.has(name)) action.meta.set(name, value);
  for (const [name, value] of keys) action.meta.set(name, value);
  relate(point, action, Kind.seq);
  relate(action, done, Kind.seq);
  return action;
}

/** The notification after a completion; monitors of the instance wait for all of them. */
function postNotify(
  cluster: Cluster,
  resource: Resource,
  node: ClusterNode | undefined,
  points: NotifyPoints,
  keys: ReadonlyMap<string, string>,
): void {
  const action = notifyOn(cluster, resource, node, points.post, points.postDone, keys);
  if (action) action.priority = INFINITY;
  for (let i = resource.actions.all.length - 1; i >= 0; i--) {
    const other = resource.actions.all[i];
    if (other && other.task !== 'cancel' && other.interval > 0) relate(points.postDone, other, Kind.seq);
  }
}
