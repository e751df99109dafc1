import { intervalMs, parseInteger, readingOf } from '@systole/cib';
import type { TransitionGraph } from '@systole/scheduler';
import { activationHold } from '../epoch/activation-hold.js';
import { leftRunning } from '../lease/left-running.js';
import type { ClusterState } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';
import type { EngineLimits } from './engine-types.js';
import { graphIndex } from './graph-index.js';

/** Actions in flight on one node when the operator sets no `node-action-limit`. More let less of a graph wait for answers; but what waits in an agent that runs fewer at a time comes nearer to its end. */
const DEFAULT_NODE_ACTIONS = 8;

/**
 * The limits under which a graph runs: `batch-limit`, `migration-limit` and `cluster-delay` from the graph, `node-action-limit` from the
 * CIB; whether activation is held from the state. Where `batch-limit` is not set, only the limits of the nodes count. Pacemaker takes twice the cores for a node, and less under load; Systole does not know them
 * and takes 8; how many of these it runs at a time each agent decides.
 */
export function engineLimits(graph: TransitionGraph, state: ClusterState): EngineLimits {
  const nodes = graphIndex(graph).executingNodes;
  const options = readingOf(state.cib, planTime(state)).options;
  const actionsPerNode = positive(options.integer('node-action-limit')) ?? DEFAULT_NODE_ACTIONS;
  const migrations = positive(parseInteger(graph.migrationLimit));
  return {
    batch: positive(parseInteger(graph.batchLimit)) ?? Math.max(1, nodes.size) * actionsPerNode,
    actionsPerNode,
    networkAllowanceMs: intervalMs(graph.clusterDelay),
    activationHeld: activationHold(state, planTime(state)) !== undefined,
    heldResources: new Set(leftRunning(state).flatMap(({ resources }) => resources)),
    leaving: new Set(Object.values(state.nodes).flatMap(({ name, shutdownRequested }) => (shutdownRequested ? [name] : []))),
    ...(migrations === undefined ? {} : { migrationsPerNode: migrations }),
  };
}

/** Whether an engine that runs under the one would do the same under the other. */
export function sameLimits(one: EngineLimits, other: EngineLimits): boolean {
  return (
    one.batch === other.batch &&
    one.migrationsPerNode === other.migrationsPerNode &&
    one.actionsPerNode === other.actionsPerNode &&
    one.networkAllowanceMs === other.networkAllowanceMs &&
    one.activationHeld === other.activationHeld &&
    sameNames(one.heldResources, other.heldResources) &&
    sameNames(one.leaving, other.leaving)
  );
}

function sameNames(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name));
}

function positive(number: number | undefined): number | undefined {
  return number === undefined || number <= 0 ? undefined : number;
}
