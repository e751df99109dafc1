import type { OnLeaseLoss } from '@systole/protocol';
import type { JournalState } from './journal/state.js';
import type { NodeState } from './state.js';
import type { Turn } from './turn.js';

/** How much longer servers have to wait for each before they may take the node for stopped. */
const CAUTION: Readonly<Record<OnLeaseLoss, number>> = { stop: 0, watchdog: 1, keep: 2 };

/** Whether there is a watchdog that can be fed, as far as is known. */
export function startsWatchdog({ settings, watchdogIs }: Pick<NodeState, 'settings' | 'watchdogIs'>): boolean {
  return settings.watchdog && watchdogIs !== 'lost';
}

/**
 * What the server said last, unless it is decided here; a server that says nothing leaves it to what the machine has. A setting counts from the join on that told
 * the server of it, and until one told it of another: it reckons with what it knows, and this node may have been cut off since it was changed.
 */
export function policyOf(state: NodeState): OnLeaseLoss {
  return policyBy(state, state.journal.ahead);
}

/**
 * What a process does that follows this one, should it end now: it finds what is on disk. That may be of long ago, where the disk is full or hangs.
 */
export function policyOnDisk(state: NodeState): OnLeaseLoss {
  return policyBy(state, state.journal.durable);
}

/** What servers have to reckon with: the more cautious of what this process does and what one does that follows it. */
export function policyTold(state: NodeState): OnLeaseLoss {
  const [now, then] = [policyOf(state), policyOnDisk(state)];
  return CAUTION[then] > CAUTION[now] ? then : now;
}

function policyBy(state: NodeState, { announced, onLeaseLoss: told }: JournalState): OnLeaseLoss {
  const policy = announced ?? told ?? 'watchdog';
  // Who was told to rely on a watchdog may have none any more.
  return policy === 'watchdog' && !startsWatchdog(state) ? 'stop' : policy;
}

/**
 * Within what time all stops must have begun when the agent ends without a server, ms: in order, each after the one before, unless the server was told that
 * everything here is stopped when the lease ends.
 */
export function beforeEndMs({ state, now }: Pick<Turn, 'state' | 'now'>): number {
  const { lease } = state;
  if (lease === undefined || policyOf(state) !== 'stop') return Infinity;
  return Math.max(0, lease.from + lease.lengthMs - now);
}
