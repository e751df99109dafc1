import { requestAction } from '../requests/action-requests.js';
import { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import type { OrderingRequest, OrderingSide, ResourceTask } from '../model/ordering-request.js';
import { Kind, relate } from '../model/relation.js';
import { RoleLevel } from '../model/role.js';

/** Turns the ordering requests into relations, in the order in which they were made (specification 07 §2.1). */
export function applyRequests(cluster: Cluster): void {
  for (const request of cluster.requests) applyRequest(cluster, request);
}

/** The actions that a side means, oldest first. */
export function actionsOf(side: OrderingSide): readonly Action[] {
  return side instanceof Action ? [side] : side.resource.actions.withKey(side.key);
}

function applyRequest(cluster: Cluster, { first, then, kinds, constraint }: OrderingRequest): void {
  let firsts = actionsOf(first);
  if (firsts.length === 0 && !(first instanceof Action)) {
    const placeholder = makePlaceholder(cluster, first, then);
    if (!placeholder) return;
    firsts = [placeholder];
  }
  const thens = actionsOf(then);
  for (const a of firsts) {
    const kindsOfPair = a.danglingStop && a.task === 'stop' && a.resource === then.resource ? kinds & ~Kind.pullThen : kinds;
    for (const b of thens) relate(a, b, kindsOfPair, constraint);
  }
}

/** A first action that doesn't exist is made, without node and so unrunnable, unless nothing would have to be done (specification 07 §2.1). */
function makePlaceholder(cluster: Cluster, { resource, key, task }: ResourceTask, then: OrderingSide): Action | undefined {
  if (resource === then.resource) return undefined;
  if (task === 'stop' && resource.currentRole === RoleLevel.Stopped) return undefined;
  if (task === 'demote' && resource.currentRole === RoleLevel.Unpromoted) return undefined;
  return requestAction(cluster, resource, key, task, undefined, true);
}
