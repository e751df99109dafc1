import { readingOf } from '@systole/cib';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { isConfiguredHistory } from '../state/configured-history.js';
import { historyOf, mayBeActive } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';
import { activatedByHand } from './left-running.js';

/**
 * What may run on a node by its agent's word, and of which the cluster knows nothing: it is neither configured nor in the node's history, so nobody looks for it, stops it or tells of it. So it is with
 * what was made in the part of an event log that a restore lost.
 *
 * @param active history ids, as the agent names them
 */
export function unknownActive(state: ClusterState, node: string, active: readonly string[]): readonly string[] {
  const unconfigured = active.filter((id) => !isConfiguredHistory(state, id) && !isAddressOfBundle(state, id));
  const member = memberOf(state, node);
  if (unconfigured.length === 0 || member === undefined) return [];
  const recorded = nodeStateOf(state.cib, member);
  const byHand = activatedByHand(member);
  return unconfigured.filter((id) => !byHand.includes(id) && !mayBeActive(historyOf(recorded, id), id));
}

/** Whether it is named as the address of a replica is (specification 02 §8.2): the bundle makes it. */
function isAddressOfBundle(state: ClusterState, historyId: string): boolean {
  const bundle = /^(?<id>.+?)-ip-[0-9a-fA-F.:]+$/.exec(historyId)?.groups?.['id'];
  return bundle !== undefined && readingOf(state.cib, planTime(state)).resource(bundle)?.kind === 'bundle';
}
