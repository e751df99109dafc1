import { readingOf } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';

/** What an agent does that hears that its node counts as down while it runs: option `fencing-reaction`. */
export function fenceReaction(state: ClusterState): 'stop' | 'panic' {
  return readingOf(state.cib, planTime(state)).options.choice('fencing-reaction') === 'panic' ? 'panic' : 'stop';
}
