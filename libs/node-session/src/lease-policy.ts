import type { OnLeaseLoss } from '@systole/protocol';
import type { NodeState } from './state.js';

/** Whether there is a watchdog that can be fed, as far as is known. */
export function startsWatchdog({ settings, watchdogIs }: Pick<NodeState, 'settings' | 'watchdogIs'>): boolean {
  return settings.watchdog && watchdogIs !== 'lost';
}

/**
 * What the server said last, unless it is decided here; a server that says nothing leaves it to what the machine has. A setting counts from the join on that told
 * the server of it, and until one told it of another: it reckons with what it knows, and this node may have been cut off since it was changed.
 */
export function policyOf(state: NodeState): OnLeaseLoss {
  const { announced, onLeaseLoss: told } = state.journal.ahead;
  const policy = announced ?? told ?? 'watchdog';
  // Who was told to rely on a watchdog may have none any more.
  return policy === 'watchdog' && !startsWatchdog(state) ? 'stop' : policy;
}
