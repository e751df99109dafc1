import { requestedFencing, type ClusterState } from '@systole/cluster';
import type { Unwritable } from '../watches/log-watch.js';
import type { LapsedLease, LeaseWait, UnheardNode } from '../watches/worker-watch.js';

/** What beside the state keeps a cluster from being at rest. */
export interface Unrest {
  /** For how long no worker was heard of, ms, when that is too long. */
  readonly workersSilentForMs: number | undefined;
  /** For how long nobody could look whether workers are there, ms, when that is too long. */
  readonly blindForMs: number | undefined;
  /** Events can't be stored: whatever the worker wants to do, it can't. */
  readonly unwritable: Unwritable | undefined;
  /** Leases that are over, of which no worker has said so. */
  readonly lapsed: readonly LapsedLease[];
  readonly leaseWaits: readonly LeaseWait[];
}

/**
 * Nothing runs, nothing asks to be planned, no fencing that somebody asked for is open, the cluster is not on its way to deletion, somebody looks after it and can, and
 * no lease that is over is waited for.
 *
 * @param now epoch ms, for rules
 */
export function isSettled(
  state: ClusterState,
  { workersSilentForMs, blindForMs, unwritable, lapsed, leaseWaits }: Unrest,
  now: number,
): boolean {
  const { existence, transition, recompute, stopping } = state;
  if (existence !== 'active') return true;
  const atRest = transition === undefined && recompute === undefined && stopping === undefined && requestedFencing(state, now).length === 0;
  return (
    atRest &&
    workersSilentForMs === undefined &&
    blindForMs === undefined &&
    unwritable === undefined &&
    lapsed.length === 0 &&
    leaseWaits.length === 0
  );
}

/** For people: `the lease of n1 is over: …`. */
export function leaseWaitText({ node, forMs, restarted }: LeaseWait): string {
  const seconds = `${String(Math.max(1, Math.ceil(forMs / 1_000)))} s`;
  return restarted
    ? `${node} was started again: it is let in when the lease of its former boot is over, and the time that has its agent stop its resources, in at most ${seconds}`
    : `the lease of ${node} is over: as there is no fencing, its agent is given ${seconds} more to stop its resources, before they start elsewhere`;
}

/** Nodes that a text lists before it only counts. */
const NAMED = 3;

/** For people: `a worker has begun 12 s ago …`; undefined when all were heard. */
export function unheardText(nodes: readonly UnheardNode[]): string | undefined {
  const [first] = nodes;
  if (first === undefined) return undefined;
  const names = nodes.slice(0, NAMED).map(({ node }) => node);
  const more = nodes.length > NAMED ? ` and ${String(nodes.length - NAMED)} more` : '';
  const seconds = String(Math.round(first.forMs / 1_000));
  return `a worker began to watch ${seconds} s ago, and ${names.join(', ')}${more} did not answer since: nothing is done before they have, or their leases are over, for they may be at something that the database lacks`;
}
