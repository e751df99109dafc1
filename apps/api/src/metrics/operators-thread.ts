import { Counter } from 'prom-client';
import type { OperatorsApi } from '../front/operators-api.js';
import type { HttpMetrics } from './http-metrics.js';

/** Shows how the thread is that serves operators. */
export function showOperatorsThread(metrics: HttpMetrics, operators: OperatorsApi): void {
  metrics.show(
    'systole_operators_thread_silence_seconds',
    'Since the thread that serves operators was last heard of, while it serves; one that is silent for too long (SYSTOLE_OPERATORS_HANG_MS) is ended, and another one started.',
    () => operators.silentForMs / 1_000,
  );
  metrics.register(
    new Counter({
      name: 'systole_operators_thread_ends_total',
      help: 'How often the thread that serves operators came to its end unasked: it broke by itself, or hung and was ended.',
      labelNames: ['reason'],
      registers: [],
      collect() {
        this.reset();
        for (const [reason, times] of Object.entries(operators.ends)) this.inc({ reason }, times);
      },
    }),
  );
}
