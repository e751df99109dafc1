import { keepsInput } from './input-filter.js';
import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import { Kind, type Relation } from '../model/relation.js';

/** Switches off the two kinds of relations that can't hold (specification 07 §14). */
export function disableInvalidRelations(cluster: Cluster): void {
  for (const action of cluster.actions.toReversed()) {
    if (action.inputs.length === 0) continue;
    for (const relation of action.inputs.toReversed()) {
      if (isInsideGuest(action, relation) || isLoadLoop(action, relation)) relation.kinds = Kind.none;
    }
  }
}

/** A guest can't wait for what runs in it. */
function isInsideGuest(action: Action, { first, kinds }: Relation): boolean {
  const { resource } = action;
  if ((kinds & Kind.guestOk) !== 0 || !resource || resource.launched.length === 0 || !first.resource || !first.node?.isGuest) return false;
  return first.node.connection?.launcher === resource;
}

function isLoadLoop(action: Action, relation: Relation): boolean {
  if (relation.kinds !== Kind.loadNode || action.task !== 'migrate_to') return false;
  const seen = new Set<Action>();
  const pending: { readonly action: Action; readonly relation: Relation }[] = [{ action, relation }];
  for (let at = pending.pop(); at; at = pending.pop()) {
    if (!keepsInput(at.action, at.relation)) continue;
    const { first } = at.relation;
    if (first === action) return true;
    if (seen.has(first)) continue;
    seen.add(first);
    for (const input of first.inputs) pending.push({ action: first, relation: input });
  }
  return false;
}
