import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import { type Kinds, relate } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { fenceAction } from '../requests/fencing.js';

/** Puts a probe or start after the unfencing of its node, and requires that where the node isn't unfenced yet (specification 06 §15.2). */
export function orderAfterUnfencing(cluster: Cluster, resource: Resource, action: Action, kinds: Kinds): void {
  const { node } = action;
  if (!node || !((resource.fenceDevice && cluster.usesUnfencing) || resource.needsUnfencing)) return;
  const unfencing = fenceAction(cluster, node, 'on', true, undefined, false);
  relate(unfencing, action, kinds);
  const unfenced = node.attributes.get('#node-unfenced');
  if ((unfenced === undefined || unfenced === '0') && node.clean && !node.shutdown) {
    fenceAction(cluster, node, 'on', false, `required by ${resource.id} ${action.task}`, false);
  }
}
