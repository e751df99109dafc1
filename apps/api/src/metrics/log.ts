import type { LogWatch } from '../watches/log-watch.js';
import type { HttpMetrics } from './http-metrics.js';

/** Shows whether events can be stored. */
export function showLog(metrics: HttpMetrics, watch: LogWatch): void {
  metrics.show(
    'systole_log_unwritable_seconds',
    'For how long events, or what is stored with them, can not be stored (a full disk, a standby, a locked table, no connection), as this process or another one found; 0: nothing is known to keep them from it.',
    () => (watch.trouble?.forMs ?? 0) / 1_000,
  );
}
