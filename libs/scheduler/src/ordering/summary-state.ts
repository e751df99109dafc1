import type { Action, ActionState, FoldCache } from '../model/action.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { instancesOf } from '../placement/compatible.js';

/** Completion tasks and what they complete. */
const completions: ReadonlyMap<string, string> = new Map([
  ['running', 'start'],
  ['stopped', 'stop'],
  ['promoted', 'promote'],
  ['demoted', 'demote'],
]);

/** Tasks that folds know; any other finds no action on members and instances. */
const known = new Set([
  'start',
  'running',
  'stop',
  'stopped',
  'promote',
  'promoted',
  'demote',
  'demoted',
  'monitor',
  'notify',
  'notified',
  'do_shutdown',
  'stonith',
]);

/** The task that a completion stands for. */
export function foldedTask(task: string): string {
  return completions.get(task) ?? task;
}

/** Whether folds know the task. */
export function isKnownTask(task: string): boolean {
  return known.has(task);
}

const own = (action: Action): ActionState => ({ required: !action.optional, runnable: action.runnable, migratable: action.migratable });

/** Summary state of an action; for a collective's pseudo-action it is folded over the members and adapts the action itself. */
export function summarize(action: Action, node: ClusterNode | undefined): ActionState {
  const { resource } = action;
  if (!resource || resource.isPrimitive) return own(action);
  const all = overall(action, resource);
  if (!node || resource.kind !== 'clone') return all;
  const cache = currentCache(action, resource);
  let here = cache.onNode.get(node);
  if (!here) {
    here = foldInstances(action, resource, node);
    currentCache(action, resource).onNode.set(node, here);
  }
  return { ...here, runnable: all.runnable || here.runnable };
}

/** The summary without node; folded again only when something below has changed, since then a fold has the same outcome and effect. */
function overall(action: Action, resource: Resource): ActionState {
  const known = currentCache(action, resource).overall;
  if (known) return known;
  const state = resource.kind === 'group' ? foldGroup(action, resource, undefined) : foldInstances(action, resource, undefined);
  // The fold may have changed the action itself; what it says then was true before.
  action.folds = { changes: resource.actionChanges, overall: state, onNode: new Map() };
  return state;
}

function currentCache(action: Action, resource: Resource): FoldCache {
  if (action.folds?.changes !== resource.actionChanges)
    action.folds = { changes: resource.actionChanges, overall: undefined, onNode: new Map() };
  return action.folds;
}

/** A group's action over its members, on a node when the group is asked about as an instance of a clone. */
function foldGroup(action: Action, group: Resource, node: ClusterNode | undefined): ActionState {
  const task = foldedTask(action.task);
  const folded = task !== action.task;
  let required = false;
  let runnable = true;
  for (const member of group.children) {
    const found = isKnownTask(action.task) ? member.newestAction(task, node) : undefined;
    if (!found) {
      if (task !== 'stop' && task !== 'demote') runnable = false;
      continue;
    }
    if (!found.optional) {
      required = true;
      action.optional = false;
      action.requiredBy ??= found;
    }
    if (folded && !found.runnable) {
      runnable = false;
      action.runnable = false;
      action.blockedBy ??= found;
    }
  }
  return { required, runnable, migratable: false };
}

const ofInner = new Set(['promote', 'promoted', 'demote', 'demoted', 'notify', 'notified']);

/** The task that instances have for a collective's action. */
export function instanceTask(action: Action, firstChild: Resource | undefined): string {
  const notified = action.task === 'notify' || action.task === 'notified';
  const task = notified ? (/_notify_(.+)_\d+$/.exec(action.key)?.[1] ?? action.task) : action.task;
  return firstChild?.isPrimitive ? foldedTask(task) : task;
}

function foldInstances(action: Action, collective: Resource, node: ClusterNode | undefined): ActionState {
  const inner = collective.bundle?.inner;
  const instances = inner && (ofInner.has(action.task) || !isKnownTask(action.task)) ? inner.children : instancesOf(collective);
  const [first] = instances;
  const task = instanceTask(action, first);
  let required = false;
  let runnable = false;
  let blocked: Action | undefined;
  if (isKnownTask(task)) {
    for (const instance of node && first?.isPrimitive ? instancesOn(collective, node) : instances) {
      const found = instance.newestAction(task, instance.isPrimitive ? node : undefined);
      if (!found) continue;
      const state = instance.kind === 'group' && node ? foldGroup(found, instance, node) : summarize(found, node);
      if (state.required) {
        required = true;
        action.optional = false;
        action.requiredBy ??= found;
      }
      if (state.runnable) runnable = true;
      else blocked ??= found;
    }
  }
  if (!runnable && !node) {
    action.runnable = false;
    action.blockedBy ??= blocked;
  }
  return { required, runnable, migratable: false };
}

/** The instances of a clone that have any action on a node, in their order. */
function instancesOn(clone: Resource, node: ClusterNode): readonly Resource[] {
  let found = clone.instancesOn;
  if (found?.added !== clone.actionsAdded) {
    const byNode = new Map<ClusterNode, Resource[]>();
    for (const instance of clone.children) {
      for (const on of new Set(instance.actions.all.map((action) => action.node))) {
        if (!on) continue;
        const list = byNode.get(on);
        if (list) list.push(instance);
        else byNode.set(on, [instance]);
      }
    }
    found = { added: clone.actionsAdded, byNode };
    planning(clone).instancesOn = found;
  }
  return found.byNode.get(node) ?? [];
}
