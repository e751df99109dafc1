import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';
import { fencingTickets, grantedTickets } from '../state/tickets.js';

/**
 * Tickets that are not granted by what is left of a log that went back in time, whose loss fences nodes, and of which nobody has said since whether they are: they may have been granted in the lost tail, and then nothing was lost.
 * Only after a loss that is certain: what a node merely says may come again and again, and must not keep others from being fenced.
 */
export function untoldMissingTickets({ cib, epoch }: Pick<ClusterState, 'cib' | 'epoch'>): readonly string[] {
  const { ticketsTold } = epoch ?? {};
  if (ticketsTold === undefined) return [];
  const known = new Set([...ticketsTold, ...grantedTickets(cib)]);
  return fencingTickets(configurationOf(cib)).filter((ticket) => !known.has(ticket));
}
