import type { ClusterSize } from '../../scheduler/clusters.js';
import { median, seconds, table } from '../../scheduler/report.js';
import { emptyCib, nodeNames, plainCib } from '../cibs.js';
import { FilledCluster } from '../filled-cluster.js';
import { requireNoneLost } from '../lost-results.js';
import { beginning, ending, nameOf, onFreshServer, type Bench, type MeasurementOptions } from '../measurement.js';
import { longestPause } from '../served.js';

interface ColdStart {
  readonly actions: number;
  /** From the request with the configuration to the end of the last transition, s. */
  readonly fromImport: number;
  /** From the first action that arrived at an agent, s. */
  readonly fromFirst: number;
  /** CPU time an action, ms. */
  readonly server: number;
  readonly postgresql: number;
  readonly load: number;
  /** The longest of the loop that serves agents, ms. */
  readonly pause: number;
}

const SIZES: readonly ClusterSize[] = [
  { nodes: 3, resources: 10 },
  { nodes: 8, resources: 100 },
  { nodes: 16, resources: 500 },
  { nodes: 64, resources: 2_000 },
  { nodes: 100, resources: 1_000 },
];
/** Between which growth is told. */
const GROWTH: readonly ClusterSize[] = [
  { nodes: 8, resources: 100 },
  { nodes: 64, resources: 2_000 },
];
const SETTLED_WITHIN_MS = 3_600_000;
/** Clusters of at most so many nodes × resources are started again and again on one server: what a server that just began has to compile and to grow weighs little in a larger one. */
const SMALL = 1_000;
/** How many were started before that on the same server; they idle then. */
const OTHERS = 5;
/** After which nothing new is on its way to an agent, unless something is being planned; ms. */
const QUIET_MS = 300;

/** Nodes are joined and idle; then the configuration is imported: everything is looked for everywhere, started, and monitored. */
export async function coldStart(options: MeasurementOptions): Promise<readonly string[]> {
  const { rounds, sizes = SIZES } = options;
  const rows: string[][] = [];
  const servers = new Map<string, number>();
  for (const size of sizes) {
    const starts: ColdStart[] = [];
    const others: ColdStart[] = [];
    for (let round = 1; round <= rounds; round++) {
      await onFreshServer(options, async (bench) => {
        starts.push(await start(bench, size));
        console.log(`${nameOf(size)} cold, round ${round}: ${JSON.stringify(starts.at(-1))}`);
        if (size.nodes * size.resources > SMALL) return;
        for (let before = 1; before <= OTHERS; before++) {
          const other = await start(bench, size, before);
          console.log(`${nameOf(size)} cold, round ${round}, after ${before} others: ${JSON.stringify(other)}`);
          if (before === OTHERS) others.push(other);
        }
      });
    }
    rows.push(rowOf(nameOf(size), starts));
    if (others.length > 0) rows.push(rowOf(`${nameOf(size)}, after ${OTHERS} others`, others));
    servers.set(nameOf(size), median(starts.map(({ server }) => server)));
  }
  const header = [
    'cold start',
    'actions',
    'seconds',
    'from the first action',
    'actions/s',
    'server CPU ms/action',
    'PostgreSQL',
    'agents',
    'longest pause, at most ms',
  ];
  return [table(header, rows), ...growthOf(servers)];
}

/** How much more of the server's time an action takes in larger clusters than in smaller ones. */
function growthOf(servers: ReadonlyMap<string, number>): readonly string[] {
  const [small, large] = GROWTH.map((size) => servers.get(nameOf(size)));
  if (small === undefined || large === undefined) return [];
  return [`Server CPU an action, ${GROWTH.map(nameOf).toReversed().join(' / ')}: ${(large / small).toFixed(2)}`];
}

function rowOf(name: string, starts: readonly ColdStart[]): string[] {
  const of = (value: (start: ColdStart) => number): number => median(starts.map(value));
  return [
    name,
    of(({ actions }) => actions).toFixed(0),
    seconds(of(({ fromImport }) => fromImport)),
    seconds(of(({ fromFirst }) => fromFirst)),
    of(({ actions, fromImport }) => actions / fromImport).toFixed(0),
    of(({ server }) => server).toFixed(2),
    of(({ postgresql }) => postgresql).toFixed(2),
    of(({ load }) => load).toFixed(2),
    of(({ pause }) => pause).toFixed(0),
  ];
}

/** @param before how many were started on this server */
async function start(bench: Bench, size: ClusterSize, before = 0): Promise<ColdStart> {
  const { served, load } = bench;
  const cluster = await FilledCluster.make(served, load, {
    name: `cold${before}`,
    cib: emptyCib(size),
    nodes: nodeNames(size),
    firstAddress: before * size.nodes,
  });
  await cluster.settled(SETTLED_WITHIN_MS);
  const begun = await beginning(bench);
  const importedAt = Date.now();
  await cluster.configure(plainCib(size));
  const end = await cluster.settled(SETTLED_WITHIN_MS);
  await load.order('quiet', { forMs: QUIET_MS });
  const after = await ending(bench, begun);
  await requireNoneLost(served, load);
  const actions = after.received - begun.received;
  return {
    actions,
    fromImport: (end - importedAt) / 1_000,
    fromFirst: (end - (after.firstReceivedAt ?? Number.NaN)) / 1_000,
    server: (after.server - begun.server) / actions,
    postgresql: (after.postgresql - begun.postgresql) / actions,
    load: (after.cpuMs - begun.cpuMs) / actions,
    pause: longestPause(begun.pauses, after.pauses),
  };
}
