import type { Action } from '../outcome.js';

const fencing: ReadonlyMap<string, string> = new Map([
  ['on', 'unfencing'],
  ['off', 'fencing (off)'],
  ['reboot', 'fencing'],
]);

/** Words for tasks whose name isn't one, up to the resource's id; `running` and the like are the ends of what a collective does. */
const tasks: ReadonlyMap<string, string> = new Map([
  ['running', 'complete start of'],
  ['stopped', 'complete stop of'],
  ['promote', 'promotion of'],
  ['promoted', 'complete promotion of'],
  ['demote', 'demotion of'],
  ['demoted', 'complete demotion of'],
  ['notify', 'notification of'],
  ['notified', 'complete notification of'],
  ['migrate_to', 'departure by migration of'],
  ['migrate_from', 'arrival by migration of'],
  ['reload-agent', 'reload of'],
  ['clear_failcount', 'clearing of the failures of'],
  ['lrm_delete', 'deletion of the history of'],
  ['delete', 'deletion of the history of'],
]);

/** An action in words: `start of db on node1`, `monitor of db every 10 s on node1`, `fencing of node2`. */
export function actionName(action: Action): string {
  const { task, resource, node, interval } = action;
  const on = node ? ` on ${node.name}` : '';
  if (task === 'stonith') return `${fencing.get(action.meta.get('stonith_action') ?? '') ?? 'fencing'} of ${node?.name ?? ''}`;
  if (task === 'do_shutdown') return `shutdown of ${node?.name ?? ''}`;
  if (!resource) return conditionName(task, on);
  if (task === 'cancel') return `cancellation of ${action.cancelledTask ?? 'monitor'} of ${resource.id}${on}`;
  if (action.isProbe) return `probe of ${resource.id}${on}`;
  const every = interval > 0 ? ` every ${String(interval / 1000)} s` : '';
  return `${tasks.get(task) ?? `${task} of`} ${resource.id}${every}${on}`;
}

/** Actions without a resource are conditions that others wait for (specification 07 §4.4, §10). */
function conditionName(task: string, on: string): string {
  const counted = /^(?:clone-)?one-or-more:(.+)$/.exec(task);
  if (counted?.[1] !== undefined) return `enough of what comes first in ordering ${counted[1]}`;
  return task.startsWith('load_stopped_') ? `free capacity on ${task.slice('load_stopped_'.length)}` : `${task}${on}`;
}
