import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterSize } from '../../scheduler/clusters.js';
import { median, table } from '../../scheduler/report.js';
import { emptyCib, nodeNames, spreadCib } from '../cibs.js';
import { FilledCluster } from '../filled-cluster.js';
import { beginning, ending, onFreshServer, type Bench, type MeasurementOptions } from '../measurement.js';

/** What idle agents cost. */
export interface Idle {
  /** Processors. */
  readonly server: number;
  readonly postgresql: number;
  readonly load: number;
  /** MiB. */
  readonly serverMib: number;
  readonly postgresqlMib: number;
}

interface Fleet {
  readonly clusters: number;
  readonly each: ClusterSize;
}

const FLEETS: readonly Fleet[] = [
  { clusters: 1, each: { nodes: 1_000, resources: 1_000 } },
  { clusters: 20, each: { nodes: 50, resources: 50 } },
];
const SECONDS = 60;
const SETTLED_WITHIN_MS = 3_600_000;
/** After everything has settled, before it is looked; ms. */
const CALM_MS = 20_000;

/** A thousand agents of settled clusters, which have nothing to say but that they are there. */
export async function idleAgents(options: MeasurementOptions): Promise<readonly string[]> {
  const { rounds, sizes, seconds = SECONDS } = options;
  const fleets = sizes?.map((each): Fleet => ({ clusters: 1, each })) ?? FLEETS;
  const rows: string[][] = [];
  for (const fleet of fleets) {
    const idles: Idle[] = [];
    for (let round = 1; round <= rounds; round++) {
      idles.push(await onFreshServer(options, (bench) => idleFleet(bench, fleet, seconds)));
      console.log(`idle, round ${round}: ${JSON.stringify(idles.at(-1))}`);
    }
    rows.push([`${fleet.clusters} × ${fleet.each.nodes} × ${fleet.each.resources}`, ...idleColumns(idles)]);
  }
  return [table(['idle: clusters × nodes × resources', ...IDLE_HEADER], rows)];
}

export const IDLE_HEADER = ['server, processors', 'PostgreSQL', 'both', 'agents', 'server MiB', 'PostgreSQL MiB'] as const;

/** Medians, for {@link IDLE_HEADER}. */
export function idleColumns(idles: readonly Idle[]): readonly string[] {
  const of = (value: (idle: Idle) => number): number => median(idles.map(value));
  return [
    ...[
      of(({ server }) => server),
      of(({ postgresql }) => postgresql),
      of(({ server, postgresql }) => server + postgresql),
      of(({ load }) => load),
    ].map((processors) => processors.toFixed(2)),
    ...[of(({ serverMib }) => serverMib), of(({ postgresqlMib }) => postgresqlMib)].map((mib) => mib.toFixed(0)),
  ];
}

/** Looks for a while at what a server and its database do; nobody is to do anything meanwhile. */
export async function idleFor(bench: Bench, seconds: number): Promise<Idle> {
  await sleep(CALM_MS);
  const before = await beginning(bench);
  await sleep(seconds * 1_000);
  const after = await ending(bench, before);
  const memory = await bench.served.memory();
  const processors = (key: 'server' | 'postgresql' | 'cpuMs'): number => (after[key] - before[key]) / (after.at - before.at);
  return {
    server: processors('server'),
    postgresql: processors('postgresql'),
    load: processors('cpuMs'),
    serverMib: memory.server,
    postgresqlMib: memory.postgresql,
  };
}

async function idleFleet(bench: Bench, { clusters, each }: Fleet, seconds: number): Promise<Idle> {
  const { served, load } = bench;
  for (let index = 0; index < clusters; index++) {
    const name = `idle${index}`;
    const firstAddress = index * each.nodes;
    const cluster = await FilledCluster.make(served, load, { name, cib: emptyCib(each), nodes: nodeNames(each), firstAddress });
    await cluster.configure(spreadCib(each));
    await cluster.settled(SETTLED_WITHIN_MS);
  }
  return idleFor(bench, seconds);
}
