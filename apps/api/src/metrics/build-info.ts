import { SCHEDULER_VERSION } from '@systole/scheduler';
import { Gauge } from 'prom-client';
import { SERVER_VERSION } from '../version.js';

/** Which versions run, as Prometheus' own programs tell it: a gauge that is always 1. */
export function buildInfoGauge(): Gauge {
  const gauge = new Gauge({
    name: 'systole_build_info',
    help: 'Versions of this server, and of the scheduler in it; always 1.',
    labelNames: ['version', 'scheduler'],
    registers: [],
  });
  gauge.set({ version: SERVER_VERSION, scheduler: SCHEDULER_VERSION }, 1);
  return gauge;
}
