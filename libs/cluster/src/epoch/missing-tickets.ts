import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';
import { fencingTickets, grantedTickets } from '../state/tickets.js';

/**
 * Tickets that are not granted by what is left of a log that went back in time, whose loss fences nodes, and of which nobody has said since whether they are: they may have been granted in the lost tail, and then nothing was lost.
 * Only after a loss that is certain: what a node merely says may come again and again, and must not keep others from being fenced.
 */
export function untoldMissingTickets({ cib, epoch }: Pick<ClusterState, 'cib' | 'epoch'>): readonly string[] {
  const { ticketsMissing } = epoch ?? {};
  if (ticketsMissing === undefined) return [];
  const missing = new Set(missingTickets(cib));
  return ticketsMissing.filter((ticket) => missing.has(ticket));
}

/** Tickets whose loss fences nodes, and that are not granted. */
export function missingTickets(cib: ClusterState['cib']): readonly string[] {
  const granted = new Set(grantedTickets(cib));
  return fencingTickets(configurationOf(cib)).filter((ticket) => !granted.has(ticket));
}
