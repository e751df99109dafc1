import { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';

/** Creates an action and appends it to the lists (specification 06 §1.4). */
export function addAction(
  cluster: Cluster,
  key: string,
  task: string,
  resource: Resource | undefined,
  node: ClusterNode | undefined,
): Action {
  const action = new Action(cluster.actions.length + 1, key, task, resource, node);
  cluster.actions.push(action);
  if (resource) planning(resource).actions.add(action);
  else cluster.nodeActions.set(key.toLowerCase(), action);
  return action;
}
