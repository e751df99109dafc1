import type { Action } from '../model/action.js';

const fencing: Readonly<Record<string, string>> = { on: 'unfencing', off: 'fencing (off)', reboot: 'fencing' };

/** An action in words: `start of db on node1`, `monitor of db every 10 s on node1`, `fencing of node2`. */
export function actionName(action: Action): string {
  const { task, resource, node, interval } = action;
  const on = node ? ` on ${node.name}` : '';
  if (task === 'stonith') return `${fencing[action.meta.get('stonith_action') ?? ''] ?? 'fencing'} of ${node?.name ?? ''}`;
  if (task === 'do_shutdown') return `shutdown of ${node?.name ?? ''}`;
  if (!resource) return `${task}${on}`;
  if (task === 'cancel') return `cancellation of ${action.cancelledTask ?? 'monitor'} of ${resource.id}${on}`;
  if (action.isProbe) return `probe of ${resource.id}${on}`;
  const every = interval > 0 ? ` every ${String(interval / 1000)} s` : '';
  return `${task} of ${resource.id}${every}${on}`;
}
