import type { Action } from '../model/action.js';
import { Kind, type Relation } from '../model/relation.js';

const weak = Kind.seq | Kind.graphFirst | Kind.graphThen;

/**
 * Whether an input is shown as a trigger (specification 08 §3.5). Relations that the node decides are switched off for good when it decides
 * against them.
 */
export function keepsInput(action: Action, relation: Relation): boolean {
  const { first, kinds } = relation;
  if (kinds === Kind.none) return false;
  if (kinds === Kind.loadNode) {
    const kept =
      action.task === 'migrate_to'
        ? first.node !== undefined && first.node === action.resource?.assignedNode
        : first.node !== undefined && first.node === action.node && !first.optional;
    if (!kept) relation.kinds = Kind.none;
    return kept;
  }
  if (kinds === Kind.antiSameNode) {
    const apart = first.node !== undefined && action.node !== undefined && first.node !== action.node;
    const kept = !first.optional && !apart;
    if (!kept) relation.kinds = Kind.none;
    return kept;
  }
  if (!first.runnable && ((kinds & ~weak) === 0 || (kinds & (Kind.count | Kind.migGate)) !== 0)) return false;
  if (first.migratable) {
    if ((kinds & Kind.unlessFirstMigrates) !== 0) return false;
    if (kinds === Kind.seq && first.key.endsWith('_stop_0')) return false;
  }
  if (first.optional && !first.graphForced && !first.written) return false;
  const failedElsewhere =
    action.resource?.kind === 'clone' &&
    first.resource !== undefined &&
    first.resource !== action.resource &&
    first.resource.failed &&
    !first.resource.managed &&
    first.key.endsWith('_stop_0');
  return !failedElsewhere;
}

/** Sorts inputs by id and unites those of one action (specification 07 §2.3). */
export function mergeInputs(action: Action): void {
  if (action.inputsMerged) return;
  action.inputsMerged = true;
  if (action.inputs.length < 2) return;
  // The newest relation is the first of its list, which a stable sort keeps.
  const sorted = [...action.inputs].reverse().sort((a, b) => a.first.id - b.first.id);
  const merged: Relation[] = [];
  for (const relation of sorted) {
    const last = merged.at(-1);
    if (last?.first === relation.first) last.kinds |= relation.kinds;
    else merged.push(relation);
  }
  action.inputs = merged;
}
