import type { ClusterSize } from '../../scheduler/clusters.js';
import { median, seconds, table } from '../../scheduler/report.js';
import { emptyCib, fencedCib, FENCE_DEVICE, nodeNames } from '../cibs.js';
import { FilledCluster } from '../filled-cluster.js';
import type { TraceEntry } from '../load-orders.js';
import { requireNoneLost } from '../lost-results.js';
import { beginning, ending, nameOf, onFreshServer, type Bench, type MeasurementOptions } from '../measurement.js';

/** Times of one node's loss, s. */
interface Loss {
  readonly resources: number;
  /** From the agent's last word to the arrival of the order to fence. */
  readonly toFencing: number;
  /** From the report of the fencing to the arrival of the first start, and of the last. */
  readonly toFirstStart: number;
  readonly toLastStart: number;
}

const SIZES: readonly ClusterSize[] = [{ nodes: 100, resources: 1_000 }];
const SETTLED_WITHIN_MS = 3_600_000;
const RECOVERED_WITHIN_MS = 300_000;

/** A settled cluster with a fence device, whose nodes fall silent one after the other. */
export async function nodeLost(options: MeasurementOptions): Promise<readonly string[]> {
  const rows: string[][] = [];
  for (const size of options.sizes ?? SIZES) {
    const losses = await onFreshServer(options, (bench) => lose(bench, size, options.rounds));
    const of = (value: (loss: Loss) => number): number => median(losses.map(value));
    rows.push([
      nameOf(size),
      of(({ resources }) => resources).toFixed(0),
      ...[of(({ toFencing }) => toFencing), of(({ toFirstStart }) => toFirstStart), of(({ toLastStart }) => toLastStart)].map(seconds),
    ]);
  }
  return [table(['a node is lost', 'resources on it', 's to the fencing', 's from its end to the first start', 'to the last'], rows)];
}

/** @param times how many nodes, one after the other */
async function lose(bench: Bench, size: ClusterSize, times: number): Promise<readonly Loss[]> {
  const { served, load } = bench;
  const nodes = nodeNames(size);
  const cluster = await FilledCluster.make(served, load, { name: 'lost', cib: emptyCib(size), nodes });
  await cluster.configure(fencedCib(size));
  await cluster.settled(SETTLED_WITHIN_MS);
  const losses: Loss[] = [];
  const lost = new Set<string>();
  const before = await beginning(bench);
  for (let round = 1; round <= times; round++) {
    const places = await load.order('places', { cluster: cluster.id });
    const node = nodes.find((candidate) => !lost.has(candidate) && places[FENCE_DEVICE] !== candidate) ?? '';
    lost.add(node);
    const resources = Object.values(places).filter((place) => place === node).length;
    const trace = await load.order('lose', { cluster: cluster.id, node, withinMs: RECOVERED_WITHIN_MS });
    losses.push(lossOf(trace, resources));
    console.log(`${nameOf(size)}, ${node} lost: ${JSON.stringify(losses.at(-1))}`);
    await cluster.settled(SETTLED_WITHIN_MS);
  }
  await ending(bench, before);
  await requireNoneLost(served, load);
  return losses;
}

/** @throws {Error} when not all of the resources were started once */
function lossOf(trace: readonly TraceEntry[], resources: number): Loss {
  const ordered = trace.find(({ what, fencing }) => what === 'received' && fencing);
  const fenced = trace.find(({ what, fencing }) => what === 'reported' && fencing);
  const starts = trace.filter(({ what, operation }) => what === 'received' && operation === 'start');
  if (ordered === undefined || fenced === undefined) throw new Error('the node was not fenced');
  if (starts.length !== resources) throw new Error(`${starts.length} starts for ${resources} resources of the lost node`);
  const since = (at = Number.NaN): number => (at - fenced.at) / 1_000;
  return {
    resources,
    toFencing: (ordered.at - (trace[0]?.at ?? Number.NaN)) / 1_000,
    toFirstStart: since(starts[0]?.at),
    toLastStart: since(starts.at(-1)?.at),
  };
}
