import { childrenNamed } from '@systole/cib';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { clusterOption, fencingEnabled } from '../state/configuration.js';
import { durationMs } from '../state/duration.js';
import { historyOf, resourcesWithHistory } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { stopTimeoutMs } from './stop-timeout.js';

/**
 * The arithmetic of leases (design §5). Times are ms; the server's are on the database's clock, the agent's on its monotonic one.
 *
 * The server grants a lease from the moment at which it received a poll; the agent counts it from the moment at which it sent that poll. The poll
 * was sent before it was received, so the agent's lease always ends first, whatever the clocks say about the time of day.
 */

/** When the lease ends that a poll received at `receivedAt` renews. Never earlier than what was granted before. */
export function renewedUntil(receivedAt: number, leaseMs: number, grantedUntil = Number.NEGATIVE_INFINITY): number {
  return Math.max(grantedUntil, receivedAt + leaseMs);
}

/**
 * When the agent has to consider its lease as ended: `leaseMs` after it sent the newest poll that was answered. It may only accept actions, and
 * only goes on without acting on its resources, before that moment; the answer to a poll whose lease is over is discarded.
 */
export function agentLeaseEnd(pollSentAt: number, leaseMs: number): number {
  return pollSentAt + leaseMs;
}

/** When the agent begins to protect its resources (stop them, stop feeding the watchdog): when a quarter of its lease is left. */
export function agentActsAt(pollSentAt: number, leaseMs: number): number {
  return pollSentAt + leaseMs - Math.ceil(leaseMs / 4);
}

export type LeaseVerdict =
  /** It runs until `until`; look again then. */
  | { readonly type: 'held'; readonly until: number }
  /** It ran out, and there is no fencing: the node's agent is stopping its resources, and has until `until`. It has no vote. */
  | { readonly type: 'expired'; readonly until: number }
  /** Execute `lose-lease`. */
  | { readonly type: 'lost' };

/**
 * Judges one row of `node_leases`.
 *
 * With fencing a node is lost when its lease is over: it counts as unclean, and the scheduler waits for its fencing. Without, nothing but time tells
 * that its resources are stopped: it is lost only `downMarginMs` later, and until then it counts as a member (so nothing of it is started elsewhere), without a vote.
 */
export function leaseVerdict(state: ClusterState, node: string, expiresAt: number, now: number): LeaseVerdict {
  if (now < expiresAt) return { type: 'held', until: expiresAt };
  if (fencingEnabled(state.cib)) return { type: 'lost' };
  const until = expiresAt + downMarginMs(state, node);
  return now < until ? { type: 'expired', until } : { type: 'lost' };
}

/** Shortest margin, ms: for what the history does not show yet, e.g. a start that is in flight. */
const LEAST_MARGIN_MS = 20_000;

/**
 * How long after the end of its lease a node without fencing may need to stop its resources: option `systole-down-margin`, else the longest stop time-out
 * among the resources that may be active there, and at least 20 s. (Its agent stops them in parallel where it may, else in order: set the
 * option where stops have to wait for one another.)
 */
export function downMarginMs(state: ClusterState, node: string): number {
  const member = memberOf(state, node);
  const configured = durationMs(clusterOption(state.cib, 'systole-down-margin'), -1);
  if (configured >= 0) return configured;
  const active = member === undefined ? [] : possiblyActive(state, member);
  return Math.max(LEAST_MARGIN_MS, ...active.map((resource) => stopTimeoutMs(state.cib, resource)));
}

/** Resources of which the node's history does not say that they are stopped there. */
export function possiblyActive(state: ClusterState, member: NodeMember): readonly string[] {
  const nodeState = nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  return resourcesWithHistory(nodeState).filter((resource) => {
    const last = childrenNamed(historyOf(nodeState, resource) ?? nodeState, 'lrm_rsc_op').find(
      ({ attributes }) => attributes['id'] === `${resource}_last_0`,
    );
    const { operation, 'rc-code': rc } = last?.attributes ?? {};
    return !((operation === 'stop' && rc === '0') || (operation === 'monitor' && rc === '7'));
  });
}
