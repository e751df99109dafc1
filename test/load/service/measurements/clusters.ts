import type { ClusterSize } from '../../scheduler/clusters.js';
import { median, table } from '../../scheduler/report.js';
import { percentile } from '../../viewers/under-viewers.js';
import { nodeNames, plainCib } from '../cibs.js';
import { FilledCluster } from '../filled-cluster.js';
import { requireNoneLost } from '../lost-results.js';
import { beginning, ending, onFreshServer, type Bench, type MeasurementOptions } from '../measurement.js';
import { IDLE_HEADER, idleColumns, idleFor, type Idle } from './idle.js';

interface ManyClusters {
  readonly idle: Idle;
  /** Making them all and their agents' joins; and until all have settled, s. */
  readonly made: number;
  readonly settled: number;
  readonly failed: number;
  /** From a failed monitor's report to the arrival of the stop, ms, ascending. */
  readonly toStop: readonly number[];
}

const CLUSTERS = 2_000;
const EACH: ClusterSize = { nodes: 3, resources: 10 };
const MADE_AT_ONCE = 8;
const TOLD_EACH = 100;
const FAILURES_PER_SECOND = 100;
const SECONDS = 60;
const SETTLED_WITHIN_MS = 3_600_000;
/** A stop that has not come so long after the last failure does not come, ms. */
const STOPPED_WITHIN_MS = 60_000;

/** Many small clusters, all idle; then monitors fail all over them. */
export async function manyClusters(options: MeasurementOptions): Promise<readonly string[]> {
  const { rounds, seconds = SECONDS, clusters = CLUSTERS } = options;
  const runs: ManyClusters[] = [];
  for (let round = 1; round <= rounds; round++) {
    runs.push(await onFreshServer(options, (bench) => live(bench, clusters, seconds)));
    const { toStop, ...rest } = runs.at(-1) ?? { toStop: [] };
    console.log(`${clusters} clusters, round ${round}: ${JSON.stringify({ ...rest, p99: percentile(toStop, 99) })}`);
  }
  const of = (value: (run: ManyClusters) => number): string => median(runs.map(value)).toFixed(0);
  const name = `${clusters} × ${EACH.nodes} × ${EACH.resources}`;
  return [
    table(
      ['idle: clusters × nodes × resources', 'made after s', 'settled after s', ...IDLE_HEADER],
      [[name, of(({ made }) => made), of(({ settled }) => settled), ...idleColumns(runs.map(({ idle }) => idle))]],
    ),
    table(
      ['monitors fail all over', 'a second', 'failures', 'ms to the stop, p50', 'p99', 'longest'],
      [
        [
          name,
          of(({ failed }) => failed / seconds),
          of(({ failed }) => failed),
          ...[50, 99, 100].map((percent) => of(({ toStop }) => percentile(toStop, percent))),
        ],
      ],
    ),
  ];
}

/** Makes many clusters of one kind, with agents on each node, and waits until all have settled. Gives after which time they were made, and settled, s. */
export async function makeClusters(
  { served, load }: Bench,
  count: number,
  each: ClusterSize,
): Promise<Pick<ManyClusters, 'made' | 'settled'>> {
  const begin = performance.now();
  const since = (): number => (performance.now() - begin) / 1_000;
  const clusters: FilledCluster[] = [];
  await sideBySide(
    Array.from({ length: count }, (_, index) => index),
    async (index) => {
      const firstAddress = index * each.nodes;
      const name = `c${index}`;
      clusters.push(await FilledCluster.make(served, load, { name, cib: plainCib(each), nodes: nodeNames(each), firstAddress }));
      if (clusters.length % TOLD_EACH === 0) console.log(`${clusters.length} clusters made after ${since().toFixed(0)} s`);
    },
  );
  const made = since();
  console.log(`all clusters made after ${made.toFixed(0)} s`);
  await sideBySide(clusters, (cluster) => cluster.settled(SETTLED_WITHIN_MS));
  return { made, settled: since() };
}

async function live(bench: Bench, count: number, seconds: number): Promise<ManyClusters> {
  const { served, load } = bench;
  const { made, settled } = await makeClusters(bench, count, EACH);
  const idle = await idleFor(bench, seconds);
  const before = await beginning(bench);
  const { failed, times, left } = await load.order('failMany', {
    perSecond: FAILURES_PER_SECOND,
    seconds,
    withinMs: STOPPED_WITHIN_MS,
  });
  if (left > 0) throw new Error(`${left} of ${failed} resources whose monitors failed were not stopped within ${STOPPED_WITHIN_MS} ms`);
  await ending(bench, before);
  await requireNoneLost(served, load);
  return { idle, made, settled, failed, toStop: times.toSorted((a, b) => a - b) };
}

/** Does something with each, some at a time. */
async function sideBySide<T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  const left = all.values();
  const inTurn = Array.from({ length: MADE_AT_ONCE }, async () => {
    for (const one of left) await act(one);
  });
  await Promise.all(inTurn);
}
