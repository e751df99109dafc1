import type { ClusterSize } from '../scheduler/clusters.js';
import { emptyCib, nodeNames, spreadCib } from '../service/cibs.js';
import { FilledCluster } from '../service/filled-cluster.js';
import type { ApiBench } from './measurement.js';

const SETTLED_WITHIN_MS = 600_000;

/** A cluster whose agents have started everything, each resource on one of three nodes. */
export async function filledCluster({ served, load }: Pick<ApiBench, 'served' | 'load'>, size: ClusterSize): Promise<FilledCluster> {
  const nodes = nodeNames(size);
  const cluster = await FilledCluster.make(served, load, { name: `filled-${size.nodes}-${size.resources}`, cib: emptyCib(size), nodes });
  await cluster.configure(spreadCib(size));
  await cluster.settled(SETTLED_WITHIN_MS);
  return cluster;
}
