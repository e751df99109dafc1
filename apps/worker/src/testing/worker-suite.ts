import { describe } from 'vitest';
import { describeFencing } from './fencing-suite.js';
import { describeKilledWorkers } from './killed-workers-suite.js';
import { describeLosses } from './losses-suite.js';
import { describeResources } from './resources-suite.js';
import { workerBench, type QueuePlace } from './worker-bench.js';

export type { QueuePlace } from './worker-bench.js';

/** What a worker must do whatever keeps its queue; reported as skipped where there is no such server. */
export function describeWorker(name: string, queue: QueuePlace | undefined): void {
  describe.skipIf(queue === undefined)(`a worker with its queue in ${name}`, () => {
    const bench = workerBench(queue);
    describeResources(bench);
    describeFencing(bench);
    describeLosses(bench);
    describeKilledWorkers(bench);
  });
}
