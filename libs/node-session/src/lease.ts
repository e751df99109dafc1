import type { HeldLease, NodeState } from './state.js';
import { log, update, type Turn } from './turn.js';

/** Part of the lease that is kept in reserve: at the end of the rest the node acts, so that it has acted before the server counts the lease as lost. */
const RESERVE = 0.25;

/**
 * The server counts a lease from the receipt of a request; here it counts from the moment at which that was sent, so the node always believes that it has
 * less time than the server grants. An older answer than the last changes nothing.
 */
export function renew(turn: Turn, sentAt: number, lengthMs: number): void {
  const { lease, starving } = turn.state;
  if (lease !== undefined && lease.from > sentAt) return;
  const renewed: HeldLease = { from: sentAt, lengthMs, acted: false };
  const over = turn.now >= actionAt(renewed);
  if (!over && (lease?.acted === true || starving === 'lease-lost')) log(turn, 'info', 'the lease is held again');
  update(turn, {
    lease: { ...renewed, acted: over && lease?.acted === true },
    starving: starving === 'lease-lost' && !over ? undefined : starving,
  });
  turn.effects.push({ type: 'note-lease', ageMs: turn.now - sentAt, leaseMs: lengthMs });
}

/** When the node must act; ms. */
export function actionAt({ from, lengthMs }: HeldLease): number {
  return from + lengthMs * (1 - RESERVE);
}

/** ms until the node must act; 0 when there is no lease. */
export function untilActionMs({ lease, now }: NodeState): number {
  return lease === undefined ? 0 : Math.max(0, actionAt(lease) - now);
}

export function dropLease(turn: Turn): void {
  update(turn, { lease: undefined });
  turn.effects.push({ type: 'forget-lease' });
}
