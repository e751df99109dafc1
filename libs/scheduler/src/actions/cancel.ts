import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { actionKey, requestAction } from '../requests/action-requests.js';

/** Turns a recurring action into its own cancellation, or makes one (specification 06 §11). */
export function cancelOperation(cluster: Cluster, resource: Resource, operation: string, interval: number, node: ClusterNode): Action {
  const action = requestAction(cluster, resource, actionKey(resource, operation, interval), 'cancel', node, false);
  planning(resource).actions.retask(action, 'cancel');
  action.cancelledTask = operation;
  action.meta.set('operation', operation);
  action.meta.set('interval', String(interval));
  return action;
}
