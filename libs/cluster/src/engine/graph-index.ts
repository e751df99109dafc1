import type { GraphAction, Synapse, TransitionGraph } from '@systole/scheduler';
import type { ActionProgress } from './engine-types.js';

/** Positions and reverse edges of a graph, computed once per graph. */
export interface GraphIndex {
  /** Graph action id -> position in `graph.synapses`. */
  readonly positionOf: ReadonlyMap<number, number>;
  /** For each position, the positions of the synapses that wait for its action. */
  readonly dependents: readonly (readonly number[])[];
  /** For each position, how many inputs it has. Inputs that are no synapse of the graph count as confirmed. */
  readonly inputCounts: readonly number[];
  /** Names of the nodes whose agents carry something out. */
  readonly executingNodes: ReadonlySet<string>;
}

const indexes = new WeakMap<TransitionGraph, GraphIndex>();

export function graphIndex(graph: TransitionGraph): GraphIndex {
  const known = indexes.get(graph);
  if (known !== undefined) return known;
  const positionOf = new Map(graph.synapses.map((synapse, position) => [synapse.action.id, position]));
  const dependents: number[][] = graph.synapses.map(() => []);
  const inputCounts = graph.synapses.map((synapse, position) => {
    const present = new Set(synapse.inputs.flatMap((input) => positionOf.get(input) ?? []));
    for (const input of present) dependents[input]?.push(position);
    return present.size;
  });
  const executingNodes = new Set(graph.synapses.flatMap(({ action }) => executingNode(action) ?? []));
  const index = { positionOf, dependents, inputCounts, executingNodes };
  indexes.set(graph, index);
  return index;
}

/** The action of that graph action id. */
export function actionIn(graph: TransitionGraph, graphActionId: number): GraphAction | undefined {
  const position = graphIndex(graph).positionOf.get(graphActionId);
  return position === undefined ? undefined : graph.synapses[position]?.action;
}

/** The priority of what goes on in an aborted transition, and after the failure of what it waits for (specification 08 §8.2, 06 §1). */
const UNCONDITIONAL = 1_000_000;

/** Whether an action only wants to know that its inputs are over, not that they went well. */
export function outlastsFailure(synapse: Synapse | undefined): boolean {
  return (synapse?.priority ?? 0) >= UNCONDITIONAL;
}

/** Positions of the dependents that need not wait for an action any more that ended so: all when it is done, some when it failed. */
export function confirmedBy(graph: TransitionGraph, position: number, progress: ActionProgress | undefined): readonly number[] {
  const dependents = graphIndex(graph).dependents[position] ?? [];
  if (progress === 'done') return dependents;
  return progress === 'failed' ? dependents.filter((dependent) => outlastsFailure(graph.synapses[dependent])) : [];
}

/**
 * Whether an action is handed out even when its transition is aborting: the notification that something has happened. It changes nothing, and
 * clones that are notified rely on being told.
 */
export function outlastsAbort(synapse: Synapse | undefined): boolean {
  return outlastsFailure(synapse) && synapse?.action.operation === 'notify';
}

/** The node whose agent carries the action out: the host of the connection for remote and guest nodes. */
export function executingNode(action: GraphAction): string | undefined {
  return action.node?.router ?? action.node?.name;
}

/** Expected return code of an action: `CRM_meta_op_target_rc`, default 0. */
export function expectedRcOf(action: GraphAction): number {
  const parsed = Number.parseInt(action.attributes['CRM_meta_op_target_rc'] ?? '', 10);
  return Number.isNaN(parsed) ? 0 : parsed;
}

const DEFAULT_TIMEOUT_MS = 20_000;

/** `CRM_meta_timeout`, ms; default 20 s. */
export function timeoutMsOf(action: GraphAction): number {
  const parsed = Number.parseInt(action.attributes['CRM_meta_timeout'] ?? '', 10);
  return Number.isNaN(parsed) || parsed <= 0 ? DEFAULT_TIMEOUT_MS : parsed;
}

export function startDelayMsOf(action: GraphAction): number {
  const parsed = Number.parseInt(action.attributes['CRM_meta_start_delay'] ?? '', 10);
  return Number.isNaN(parsed) ? 0 : Math.max(0, parsed);
}

export function intervalMsOf(action: GraphAction): number {
  const parsed = Number.parseInt(action.attributes['CRM_meta_interval'] ?? '', 10);
  return Number.isNaN(parsed) ? 0 : Math.max(0, parsed);
}

export function isMigration(action: GraphAction): boolean {
  return action.operation === 'migrate_to' || action.operation === 'migrate_from';
}
