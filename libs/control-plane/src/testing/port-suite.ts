import { describe } from 'vitest';
import { describeAgentWrites } from './agent-writes-suite.js';
import { describeClaims } from './claims-suite.js';
import { describeCommits } from './commits-suite.js';
import { describeDispatches } from './dispatches-suite.js';
import { describeFailures } from './failures-suite.js';
import { describeGraphs } from './graphs-suite.js';
import { describeHeartbeats } from './heartbeats-suite.js';
import { describeHeldStreams } from './held-stream-suite.js';
import { describeLeases } from './leases-suite.js';
import { describeLog } from './log-suite.js';
import { portBench, type PortsUnderTest } from './port-bench.js';
import { describeSeals } from './seals-suite.js';

export type { PortsOfProcess, PortsUnderTest } from './port-bench.js';

/** What the use cases rely on, whatever keeps the data. */
export function describePorts(name: string, start: () => Promise<PortsUnderTest>): void {
  describe(`the ports ${name}`, () => {
    const bench = portBench(start);
    describeLog(bench);
    describeHeldStreams(bench);
    describeCommits(bench);
    describeLeases(bench);
    describeAgentWrites(bench);
    describeHeartbeats(bench);
    describeDispatches(bench);
    describeGraphs(bench);
    describeFailures(bench);
    describeSeals(bench);
    describeClaims(bench);
  });
}
