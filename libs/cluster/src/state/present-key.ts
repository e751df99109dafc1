import type { ClusterState } from './cluster-state.js';
import { parseTransitionKey } from './history.js';

/**
 * The transition key of what the server itself says of an operation: it belongs to the present epoch, for what is said now is not of a tail that was lost.
 *
 * @param known of the operation that it is about, where there is one
 */
export function presentKey({ epoch, lastTransitionNumber }: ClusterState, known?: string): string {
  const key = parseTransitionKey(known ?? '');
  return `${String(key?.graphActionId ?? 0)}:${String(key?.transition ?? lastTransitionNumber)}:0:${epoch?.id ?? key?.epoch ?? 'none'}`;
}
