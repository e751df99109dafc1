import type { ClockWatch } from '../watches/clock-watch.js';
import type { HttpMetrics } from './http-metrics.js';

/** Shows whether the clock steps that dates all events. */
export function showClock(metrics: HttpMetrics, watch: ClockWatch): void {
  metrics.show(
    'systole_clock_steps',
    'How often the clock of the database was seen to step by more than three seconds since the start of this process.',
    () => watch.count,
  );
  metrics.show(
    'systole_clock_step_seconds',
    'The newest of these steps, backwards when negative; 0 when there was none in the last hour, or the time for which dates stand still for it.',
    () => (watch.newest?.stepMs ?? 0) / 1_000,
  );
}
