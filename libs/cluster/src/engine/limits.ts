import { intervalMs, parseInteger, readingOf } from '@systole/cib';
import type { TransitionGraph } from '@systole/scheduler';
import { activationHold } from '../epoch/activation-hold.js';
import { promotionHold } from '../epoch/attributes-of-before.js';
import { leftRunning } from '../lease/left-running.js';
import { strandedResources } from '../remote/stranded.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';
import type { EngineLimits } from './engine-types.js';
import { graphIndex } from './graph-index.js';
import { isLoaded } from './load-threshold.js';

/** Actions in flight on one node whose agent does not tell how many it carries out at a time, when the operator sets no `node-action-limit`. */
const DEFAULT_NODE_ACTIONS = 8;

/** Most actions in flight on one node, whatever anybody says: a poll names them all, and one answer may have to carry them all. */
const MOST_NODE_ACTIONS = 1_000;
/** What large actions in flight carry together, characters, when no more of them are handed out: somebody has to write and read it in one go. */
const MOST_BULK = 1024 * 1024;

/**
 * The limits under which a graph runs: `batch-limit`, `migration-limit` and `cluster-delay` from the graph, `node-action-limit` from the
 * CIB; whether activation is held from the state. Where `batch-limit` is not set, only the limits of the nodes count. Where `node-action-limit` is not set, a node is
 * given as many actions as its agent carries out at a time, so that none waits there for others that were handed out while its timeout runs: twice the cores, as with Pacemaker, unless the agent is set otherwise. One whose load
 * is beyond `load-threshold` is given half of either.
 */
export function engineLimits(graph: TransitionGraph, state: ClusterState): EngineLimits {
  const nodes = graphIndex(graph).executingNodes;
  const options = readingOf(state.cib, planTime(state)).options;
  const asked = positive(options.integer('node-action-limit'));
  const set = asked === undefined ? undefined : Math.min(asked, MOST_NODE_ACTIONS);
  const told = set === undefined ? toldLimits(nodes, state) : new Map<string, number>();
  const actionsPerNode = set ?? DEFAULT_NODE_ACTIONS;
  for (const node of nodes) if (isLoaded(state, node)) told.set(node, Math.ceil((told.get(node) ?? actionsPerNode) / 2));
  const migrations = positive(parseInteger(graph.migrationLimit));
  let inAll = 0;
  for (const node of nodes) inAll += told.get(node) ?? actionsPerNode;
  return {
    batch: positive(parseInteger(graph.batchLimit)) ?? Math.max(1, inAll),
    actionsPerNode,
    ...(told.size === 0 ? {} : { actionsOnNode: told }),
    bulk: MOST_BULK,
    networkAllowanceMs: intervalMs(graph.clusterDelay),
    activationHeld: activationHold(state, planTime(state)) !== undefined,
    ...(promotionHold(state) === undefined ? {} : { promotionsHeld: true as const }),
    heldResources: new Set([...leftRunning(state).flatMap(({ resources }) => resources), ...strandedResources(state)]),
    leaving: new Set(Object.values(state.nodes).flatMap(({ name, shutdownRequested }) => (shutdownRequested ? [name] : []))),
    ...(migrations === undefined ? {} : { migrationsPerNode: migrations }),
  };
}

function toldLimits(nodes: ReadonlySet<string>, state: ClusterState): Map<string, number> {
  const told = new Map<string, number>();
  for (const node of nodes) {
    const limit = memberOf(state, node)?.actionLimit;
    if (limit !== undefined) told.set(node, Math.min(limit, MOST_NODE_ACTIONS));
  }
  return told;
}

/** Whether an engine that runs under the one would do the same under the other. */
export function sameLimits(one: EngineLimits, other: EngineLimits): boolean {
  return (
    one.batch === other.batch &&
    one.migrationsPerNode === other.migrationsPerNode &&
    one.actionsPerNode === other.actionsPerNode &&
    sameNumbers(one.actionsOnNode, other.actionsOnNode) &&
    one.bulk === other.bulk &&
    one.networkAllowanceMs === other.networkAllowanceMs &&
    one.activationHeld === other.activationHeld &&
    one.promotionsHeld === other.promotionsHeld &&
    sameNames(one.heldResources, other.heldResources) &&
    sameNames(one.leaving, other.leaving)
  );
}

function sameNames(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name));
}

function sameNumbers(one: ReadonlyMap<string, number> = new Map(), other: ReadonlyMap<string, number> = new Map()): boolean {
  return one.size === other.size && [...one].every(([name, number]) => other.get(name) === number);
}

function positive(number: number | undefined): number | undefined {
  return number === undefined || number <= 0 ? undefined : number;
}

/** What the network may add to the time-out of an action of a plan whose graph is not there, ms: as the configuration says now (`cluster-delay`). */
export function networkAllowanceMs(state: ClusterState): number {
  return readingOf(state.cib, planTime(state)).options.duration('cluster-delay');
}
