import type { ClusterStates } from '@systole/read-models';
import type { HttpMetrics } from './http-metrics.js';

/** Shows what the states of clusters take in memory. */
export function showStates(metrics: HttpMetrics, states: ClusterStates): void {
  metrics.show('systole_states_cached_bytes', 'Memory that the states of clusters take, about.', () => Math.round(states.memory.bytes));
  metrics.show(
    'systole_states_cached_limit_bytes',
    'Memory that they may take (SYSTOLE_STATES_MIB); at the limit states are folded from the log again and again.',
    () => states.memory.mostBytes,
  );
}
