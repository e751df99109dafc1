import type { ClusterSize } from '../../scheduler/clusters.js';
import { median, table } from '../../scheduler/report.js';
import { percentile } from '../../viewers/under-viewers.js';
import { emptyCib, nodeNames, spreadCib } from '../cibs.js';
import { FilledCluster } from '../filled-cluster.js';
import { requireNoneLost } from '../lost-results.js';
import { beginning, ending, nameOf, onFreshServer, type Bench, type MeasurementOptions } from '../measurement.js';
import { longestPause } from '../served.js';

interface Sustained {
  /** A second, while they were sent. */
  readonly acknowledged: number;
  /** From the sending of a result to its acknowledgement, ms, ascending. */
  readonly times: readonly number[];
  /** CPU time a result, ms. */
  readonly server: number;
  readonly postgresql: number;
  readonly load: number;
  /** The longest of the loop that serves agents, ms. */
  readonly pause: number;
}

const SIZES: readonly ClusterSize[] = [{ nodes: 100, resources: 1_000 }];
const SECONDS = 60;
/** Offered: a third more than has to be carried. */
const PER_SECOND = 4_000;
const SETTLED_WITHIN_MS = 1_800_000;
/** What was sent at last gets so long to be acknowledged, ms. */
const ACKNOWLEDGED_WITHIN_MS = 300_000;

/** Monitors that find something else each time. Nothing is managed, so that nothing is done about it; but each result is news, which is stored and looked at. */
export async function sustainedResults(options: MeasurementOptions): Promise<readonly string[]> {
  const rows: string[][] = [];
  for (const size of options.sizes ?? SIZES) {
    const runs: Sustained[] = [];
    for (let round = 1; round <= options.rounds; round++) {
      const run = await onFreshServer(options, (bench) => sustain(bench, size, options.seconds ?? SECONDS));
      runs.push(run);
      console.log(`${nameOf(size)} results, round ${round}: ${run.acknowledged.toFixed(0)} a second`);
    }
    const of = (value: (run: Sustained) => number): number => median(runs.map(value));
    rows.push([
      nameOf(size),
      String(PER_SECOND),
      of(({ acknowledged }) => acknowledged).toFixed(0),
      ...[50, 99].map((percent) => of(({ times }) => percentile(times, percent)).toFixed(0)),
      of(({ server }) => server).toFixed(2),
      of(({ postgresql }) => postgresql).toFixed(2),
      of(({ load }) => load).toFixed(2),
      of(({ pause }) => pause).toFixed(0),
    ]);
  }
  const header = [
    'results that change',
    'offered/s',
    'acknowledged/s',
    'after ms, p50',
    'p99',
    'server CPU ms/result',
    'PostgreSQL',
    'agents',
    'longest pause, at most ms',
  ];
  return [table(header, rows)];
}

async function sustain(bench: Bench, size: ClusterSize, seconds: number): Promise<Sustained> {
  const { served, load } = bench;
  const cluster = await FilledCluster.make(served, load, { name: 'results', cib: emptyCib(size), nodes: nodeNames(size) });
  await cluster.configure(spreadCib(size));
  await cluster.settled(SETTLED_WITHIN_MS);
  await cluster.configure(spreadCib(size, false));
  await cluster.settled(SETTLED_WITHIN_MS);
  const before = await beginning(bench);
  const { sent, acknowledged, times } = await load.order('changeResults', {
    perSecond: PER_SECOND,
    seconds,
    withinMs: ACKNOWLEDGED_WITHIN_MS,
  });
  const after = await ending(bench, before);
  await requireNoneLost(served, load);
  return {
    acknowledged: acknowledged / seconds,
    times: times.toSorted((a, b) => a - b),
    server: (after.server - before.server) / sent,
    postgresql: (after.postgresql - before.postgresql) / sent,
    load: (after.cpuMs - before.cpuMs) / sent,
    pause: longestPause(before.pauses, after.pauses),
  };
}
