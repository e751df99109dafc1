import type { GraphAction, Synapse, TransitionGraph } from '@systole/scheduler';
import type { ActionProgress } from './engine-types.js';

/** Positions and reverse edges of a graph, computed once per graph; linear in its synapses and inputs. */
export interface GraphIndex {
  /** Graph action id -> position in `graph.synapses`. */
  readonly positionOf: ReadonlyMap<number, number>;
  /** The positions of the synapses that wait for the action at a position, ascending. */
  readonly dependentsOf: (position: number) => Int32Array;
  /** For each position, how many inputs it has. Inputs that are no synapse of the graph count as confirmed. */
  readonly inputCounts: Int32Array;
  /** Names of the nodes whose agents carry something out. */
  readonly executingNodes: ReadonlySet<string>;
}

const indexes = new WeakMap<TransitionGraph, GraphIndex>();

export function graphIndex(graph: TransitionGraph): GraphIndex {
  const known = indexes.get(graph);
  if (known !== undefined) return known;
  const steps = indexInSteps(graph);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Synapses between two pauses of {@link indexInSteps}: they take some tenths of a millisecond. */
const IN_ONE_STEP = 1_024;

/** Computes the index with a pause after every so many synapses, at which something else may be done; from then on `graphIndex` knows it. */
export function* indexInSteps(graph: TransitionGraph): Generator<void, GraphIndex, undefined> {
  const { synapses } = graph;
  const positionOf = new Map<number, number>();
  const executingNodes = new Set<string>();
  for (const [position, { action }] of synapses.entries()) {
    positionOf.set(action.id, position);
    const node = executingNode(action);
    if (node !== undefined) executingNodes.add(node);
    if (position % IN_ONE_STEP === 0) yield;
  }
  const inputCounts = new Int32Array(synapses.length);
  // Where the dependents of each position begin, once those before it are added up; one more, which is the end.
  const starts = new Int32Array(synapses.length + 1);
  for (const [position, synapse] of synapses.entries()) {
    for (const input of presentInputs(synapse, positionOf)) {
      inputCounts[position] = (inputCounts[position] ?? 0) + 1;
      starts[input + 1] = (starts[input + 1] ?? 0) + 1;
    }
    if (position % IN_ONE_STEP === 0) yield;
  }
  for (let position = 0; position < synapses.length; position++)
    starts[position + 1] = (starts[position + 1] ?? 0) + (starts[position] ?? 0);
  const dependents = new Int32Array(starts[synapses.length] ?? 0);
  const ends = starts.slice(0, synapses.length);
  for (const [position, synapse] of synapses.entries()) {
    for (const input of presentInputs(synapse, positionOf)) {
      const end = ends[input] ?? 0;
      dependents[end] = position;
      ends[input] = end + 1;
    }
    if (position % IN_ONE_STEP === 0) yield;
  }
  const dependentsOf = (position: number): Int32Array => dependents.subarray(starts[position], starts[position + 1]);
  const index = { positionOf, dependentsOf, inputCounts, executingNodes };
  indexes.set(graph, index);
  return index;
}

/** Positions of the inputs of a synapse that are synapses of the graph, each once. */
function presentInputs({ inputs }: Synapse, positionOf: ReadonlyMap<number, number>): Iterable<number> {
  const present: number[] = [];
  for (const input of inputs) {
    const position = positionOf.get(input);
    if (position !== undefined) present.push(position);
  }
  return present.length < 2 ? present : new Set(present);
}

/** The positions without an input, ascending. */
export function withoutInputs(inputCounts: Int32Array): number[] {
  const positions: number[] = [];
  for (const [position, count] of inputCounts.entries()) if (count === 0) positions.push(position);
  return positions;
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
export function confirmedBy(graph: TransitionGraph, position: number, progress: ActionProgress | undefined): Int32Array {
  const { dependentsOf } = graphIndex(graph);
  if (progress === 'done') return dependentsOf(position);
  return progress === 'failed' ? dependentsOf(position).filter((dependent) => outlastsFailure(graph.synapses[dependent])) : NOBODY;
}

const NOBODY = new Int32Array();

/** The node whose agent carries the action out: its own, also that of a remote or guest node, and not that of the host of its connection. */
export function executingNode(action: GraphAction): string | undefined {
  return action.node?.name;
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
