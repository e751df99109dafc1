import type { XmlElement } from '@systole/cib';
import type { TransitionGraph } from '@systole/scheduler';
import { clusterOption } from '../state/configuration.js';
import { durationMs } from '../state/duration.js';
import type { EngineLimits } from './engine-types.js';
import { executingNode } from './graph-index.js';

const DEFAULT_CLUSTER_DELAY_MS = 60_000;
/** Fewest actions that may be in flight when the operator sets no `batch-limit`. */
const DEFAULT_BATCH = 30;
/** Actions in flight on one node when the operator sets no `node-action-limit`. */
const DEFAULT_NODE_ACTIONS = 16;

/**
 * The limits under which a graph runs: `batch-limit`, `migration-limit` and `cluster-delay` from the graph, `node-action-limit` from the
 * CIB. Pacemaker adapts the unset limits to measured load; Systole does not measure it and takes fixed ones: a batch of 30, or of 4 per
 * node of the graph if that is more; 16 actions per node.
 */
export function engineLimits(graph: TransitionGraph, cib: XmlElement): EngineLimits {
  const nodes = new Set(graph.synapses.flatMap(({ action }) => executingNode(action) ?? []));
  const batch = positive(graph.batchLimit) ?? Math.max(DEFAULT_BATCH, 4 * nodes.size);
  const migrations = positive(graph.migrationLimit);
  return {
    batch,
    actionsPerNode: positive(clusterOption(cib, 'node-action-limit')) ?? DEFAULT_NODE_ACTIONS,
    networkAllowanceMs: durationMs(graph.clusterDelay, DEFAULT_CLUSTER_DELAY_MS),
    ...(migrations === undefined ? {} : { migrationsPerNode: migrations }),
  };
}

function positive(text: string | undefined): number | undefined {
  const number = Number.parseInt(text ?? '', 10);
  return Number.isNaN(number) || number <= 0 ? undefined : number;
}
