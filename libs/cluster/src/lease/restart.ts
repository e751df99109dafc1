import type { NodeMember } from '../state/cluster-state.js';

/** Whether another boot asked to join after the newest life of the node had begun, and nothing shows that both lived at once: most likely the machine was restarted. */
export function isRestarted({ refusedJoin, secondBoots = [] }: NodeMember): boolean {
  return refusedJoin !== undefined && !secondBoots.includes(refusedJoin.bootId);
}
