import type { Action } from '../model/action.js';
import { type Cluster, leaves } from '../model/cluster.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { INFINITY } from '../model/score.js';
import { createNotifyPoints, relatePhases } from '../ordering/notify-points.js';
import { type NotifyPoints } from '../model/notify-points.js';
import { isActive } from '../model/activity.js';
import { createPrimitiveActions } from './primitive-actions.js';
import { actionKey, requestPseudo } from '../requests/action-requests.js';

/** The actions of every resource (specification 06 §2.2). */
export function createActions(cluster: Cluster): void {
  for (const resource of cluster.resources) createResourceActions(cluster, resource);
}

function createResourceActions(cluster: Cluster, resource: Resource): void {
  switch (resource.kind) {
    case 'primitive':
      createPrimitiveActions(cluster, resource);
      break;
    case 'group':
      createGroupActions(cluster, resource);
      break;
    case 'clone':
      createCloneActions(cluster, resource);
      break;
    case 'bundle':
      createBundleActions(cluster, resource);
  }
}

function pseudo(cluster: Cluster, resource: Resource, task: string, optional: boolean, runnable: boolean): Action {
  return requestPseudo(cluster, resource, actionKey(resource, task), task, optional, runnable);
}

function createGroupActions(cluster: Cluster, group: Resource): void {
  for (const member of group.children) createResourceActions(cluster, member);
  for (const task of ['start', 'running', 'stop', 'stopped']) pseudo(cluster, group, task, true, true);
  if (cluster.cib.boolean(group.meta.get('promotable')) !== true) return;
  for (const task of ['demote', 'demoted', 'promote', 'promoted']) pseudo(cluster, group, task, true, true);
}

/** What instances are about to do (specification 06 §2.2). */
interface InstanceStates {
  starting: boolean;
  stopping: boolean;
  /** One and the same instance stops and starts. */
  restarting: boolean;
  active: boolean;
  /** Some instance could start, whether or not it has to by now. */
  startable: boolean;
}

function instanceStates(instances: readonly Resource[]): InstanceStates {
  const states: InstanceStates = { starting: false, stopping: false, restarting: false, active: false, startable: false };
  for (const instance of instances) {
    for (const leaf of leaves(instance)) {
      let starting = false;
      let stopping = false;
      if (isActive(leaf)) states.active = true;
      for (const action of leaf.actions.withTask('start')) {
        if (!action.runnable) continue;
        states.startable = true;
        if (!action.optional) starting = true;
      }
      for (const action of leaf.actions.withTask('stop')) if (!action.optional && (action.runnable || action.pseudo)) stopping = true;
      if (starting) states.starting = true;
      if (stopping) states.stopping = true;
      if (starting && stopping) states.restarting = true;
    }
  }
  return states;
}

/** start, running, stop and stopped of a clone or bundle. */
function createInstancePseudos(cluster: Cluster, collective: Resource, instances: readonly Resource[], notify: boolean): void {
  const { starting, stopping, restarting, active, startable } = instanceStates(instances);
  const start = pseudo(cluster, collective, 'start', !starting, true);
  const running = pseudo(cluster, collective, 'running', !starting, active || startable);
  running.priority = INFINITY;
  const stop = pseudo(cluster, collective, 'stop', !stopping, true);
  const stopped = pseudo(cluster, collective, 'stopped', !stopping, true);
  stopped.priority = INFINITY;
  stop.migratable = !restarting;
  if (!notify) return;
  const startPoints = createNotifyPoints(cluster, collective, 'start', start, running);
  const stopPoints = createNotifyPoints(cluster, collective, 'stop', stop, stopped);
  cluster.notifyPoints.set(collective, { start: startPoints, stop: stopPoints });
  relatePhases(stopPoints, startPoints);
}

function createCloneActions(cluster: Cluster, clone: Resource): void {
  for (const instance of clone.children) createResourceActions(cluster, instance);
  createInstancePseudos(cluster, clone, clone.children, clone.notify);
  if (!clone.promotable) return;
  for (const instance of clone.children) createResourceActions(cluster, instance);
  createPromotionPseudos(cluster, clone);
  for (const instance of clone.children) {
    planning(instance).plannedPriority = clone.priority;
  }
}

function createPromotionPseudos(cluster: Cluster, clone: Resource): void {
  const anyRequired = (task: string): boolean => {
    for (const leaf of leaves(clone)) if (leaf.actions.withTask(task).some((action) => !action.optional)) return true;
    return false;
  };
  const promoting = anyRequired('promote');
  const demoting = anyRequired('demote');
  const points = cluster.notifyPoints.get(clone);
  const phase = (task: 'promote' | 'demote', required: boolean): NotifyPoints | undefined => {
    const action = pseudo(cluster, clone, task, !required, true);
    const done = pseudo(cluster, clone, `${task}d`, !required, true);
    done.priority = INFINITY;
    return points && createNotifyPoints(cluster, clone, task, action, done);
  };
  const promote = phase('promote', promoting);
  const demote = phase('demote', demoting);
  if (!points || !promote || !demote) return;
  cluster.notifyPoints.set(clone, { ...points, promote, demote });
  for (const earlier of [points.stop, points.start, demote]) relatePhases(earlier, promote);
  relatePhases(demote, points.start);
  relatePhases(demote, points.stop);
}

function createBundleActions(cluster: Cluster, bundle: Resource): void {
  const settings = bundle.bundle;
  if (!settings) return;
  for (const { ip, container, connection } of settings.replicas) {
    for (const part of [ip, container, connection]) if (part) createResourceActions(cluster, part);
  }
  const containers = settings.replicas.map(({ container }) => container);
  for (const container of containers) createResourceActions(cluster, container);
  createInstancePseudos(cluster, bundle, containers, false);
  const { inner } = settings;
  if (!inner) return;
  createResourceActions(cluster, inner);
  if (!inner.promotable) return;
  for (const task of ['promote', 'promoted', 'demote', 'demoted']) {
    const action = pseudo(cluster, bundle, task, true, true);
    if (task.endsWith('d')) action.priority = INFINITY;
  }
}
