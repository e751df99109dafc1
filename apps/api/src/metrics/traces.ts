import type { Traces } from '@systole/tracing';
import { Counter } from 'prom-client';

/** What became of the spans of this process, or of one of its threads. */
export function showTraces(traces: Pick<Traces, 'tally'>): Counter {
  return new Counter({
    name: 'systole_trace_spans_total',
    help: 'Spans of traces, by what became of them: exported; failed, as the collector was away, slow, or did not want them; dropped, as too many waited. Only where traces are on.',
    labelNames: ['outcome'],
    registers: [],
    collect() {
      this.reset();
      const { exported, failed, dropped } = traces.tally;
      this.inc({ outcome: 'exported' }, exported);
      this.inc({ outcome: 'failed' }, failed);
      this.inc({ outcome: 'dropped' }, dropped);
    },
  });
}
