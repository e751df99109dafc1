import type { GraphAction } from '../graph/transition-graph.js';

/** Whether an agent, the controller or a fence device is called. */
export const isReal = ({ kind }: GraphAction): boolean => kind !== 'pseudo_event';

export const isProbe = ({ kind, operation, attributes }: GraphAction): boolean =>
  kind === 'rsc_op' && operation === 'monitor' && attributes['CRM_meta_interval'] === undefined;

/**
 * An action of the graph in the words of scenarios: `start db n1`, `monitor-10s db n1`, `probe db n1`, `cancel-10s db n1`, `notify-pre-start p:0 n1`,
 * `clear-failures db n1`, `fence n2`, `unfence n2`, `shutdown n2`; a pseudo-action is its key, e.g. `g_running_0`, and so is fencing that only follows
 * from a stopped launcher.
 */
export function actionText(action: GraphAction): string {
  const { operation, attributes, node, primitive } = action;
  const at = node ? ` ${node.name}` : '';
  if (!isReal(action)) return operation === 'stonith' ? `reset${at}` : (action.internalOperationKey ?? action.operationKey);
  if (operation === 'stonith') return `${attributes['CRM_meta_stonith_action'] === 'on' ? 'unfence' : 'fence'}${at}`;
  if (operation === 'do_shutdown') return `shutdown${at}`;
  if (!primitive) return `${operation}${at}`;
  return `${taskText(action)} ${primitive.longId ?? primitive.id}${at}`;
}

function taskText(action: GraphAction): string {
  const { operation, attributes } = action;
  if (isProbe(action)) return 'probe';
  if (operation === 'clear_failcount') return 'clear-failures';
  if (operation === 'notify') return `notify-${attributes['CRM_meta_notify_type'] ?? ''}-${attributes['CRM_meta_notify_operation'] ?? ''}`;
  const interval = attributes['CRM_meta_interval'];
  return interval === undefined ? operation : `${operation}-${Number(interval) / 1000}s`;
}
