import type { Cib } from '@systole/cib';
import { readState, type SchedulerRun } from '@systole/scheduler';
import type { ExecutionEnd } from '../execution/order-of-execution.js';
import { carryOutUntilRest, type Assumed } from '../simulation/until-rest.js';
import { monitorInterval } from './monitors.js';
import { affectedBetween, nameOf, placesIn, type AffectedResource, type Places } from './effects.js';

/** What would become of a cluster to which something happens. */
export interface Outcome {
  /** Nodes that are fenced for it. */
  readonly fenced: readonly string[];
  /** The worst first, then by name. */
  readonly affected: readonly AffectedResource[];
  /** Resources that stay as they are. */
  readonly unaffected: number;
  /** Operations that are carried out; probes and monitors don't count. */
  readonly actions: number;
  /** `terminated`: some action could never begin. */
  readonly end: ExecutionEnd;
  /** How many plans it took to come to rest; undefined when it did not within `MOST_PLANS`. */
  readonly plans: number | undefined;
}

/** What would become of a cluster that loses some nodes at once. */
export interface LossOutcome extends Outcome {
  /** The nodes that are lost. */
  readonly nodes: readonly string[];
}

/** What would become of a cluster in which a resource fails. */
export interface FailureOutcome extends Outcome {
  /** No monitor of it runs there: nobody would notice, and nothing becomes of it. */
  readonly unnoticed: boolean;
}

/** What is assumed of a loss. */
export interface Loss {
  /** Names. They fail: their machines have to be fenced, where fencing is enabled. */
  readonly nodes: readonly string[];
  /** Whether those that are left have quorum. */
  readonly quorum: boolean;
  /** Those of them that no fence device can fence: what ran there is started nowhere. */
  readonly unfenceable?: readonly string[];
}

/** The document of the cluster once everything that is planned already was carried out: what a loss is compared with. Remembered as long as the document. */
export function settledCib(cib: Cib, now: number): Cib {
  const known = settled.get(cib.document);
  if (known?.now === now) return known.cib;
  const { output } = carriedOut(cib, { now });
  settled.set(cib.document, { now, cib: output });
  return output;
}

const settled = new WeakMap<Cib['document'], { readonly now: number; readonly cib: Cib }>();

/**
 * What would become of a settled cluster that loses nodes: planned and carried out, in thought, until it rests (specification 08 §2.2, §10.2). Pure.
 *
 * @param cib see {@link settledCib}
 * @param now epoch seconds
 * @returns also the document of the cluster when it has come to rest
 * @throws {UnknownNodeError} for a node that nothing knows
 */
export function outcomeOfLoss(cib: Cib, { nodes, quorum, unfenceable = [] }: Loss, now: number): LossOutcome & { readonly output: Cib } {
  // What a lost node that nobody could fence may run on with is of no use to anybody.
  const assumed = { now, injections: { nodesFailed: nodes, quorum: quorum ? '1' : '0' }, unfenceable };
  const { fenced, ...outcome } = outcomeOf(cib, assumed, new Set(nodes));
  return { ...outcome, nodes, fenced: nodes.filter((node) => fenced.includes(node)) };
}

/** What is assumed of a failure: a monitor of the resource, or of an instance of it, says once that it does not work. */
export interface Failure {
  /** Name of a primitive, without the number of an instance. */
  readonly resource: string;
  readonly node: string;
}

/** `OCF_ERR_GENERIC` (resource agent API). */
const GENERIC_ERROR = 1;

/** The same as {@link outcomeOfLoss} for a resource that fails on a node. @throws {UnknownNodeError} */
export function outcomeOfFailure(cib: Cib, { resource, node }: Failure, now: number): FailureOutcome & { readonly output: Cib } {
  const interval = monitorInterval(cib, resource, node);
  const unnoticed = interval === undefined;
  const operations = unnoticed ? [] : [`${resource}_monitor_${String(interval)}@${node}=${String(GENERIC_ERROR)}`];
  return { ...outcomeOf(cib, { now, injections: { operations } }), unnoticed };
}

function outcomeOf(cib: Cib, assumed: Assumed, lost?: ReadonlySet<string>): Outcome & { readonly output: Cib } {
  const { now } = assumed;
  const before = placesBefore(cib, now);
  const { output, stopped, fenced, actions, end, plans } = carriedOut(cib, assumed);
  const affected = affectedBetween(before, placesIn(readState(output, { now, scores: false }), now, lost), stopped);
  return { fenced, affected, unaffected: before.size - affected.length, actions, end, plans, output };
}

/** Where everything runs before anything is lost: the same for each loss of one cluster. */
function placesBefore(cib: Cib, now: number): Places {
  const known = places.get(cib.document);
  if (known?.now === now) return known.before;
  const before = placesIn(readState(cib, { now, scores: false }), now);
  places.set(cib.document, { now, before });
  return before;
}

const places = new WeakMap<Cib['document'], { readonly now: number; readonly before: Places }>();

interface CarriedOut {
  readonly output: Cib;
  /** Primitives that were stopped at some time. */
  readonly stopped: ReadonlySet<string>;
  readonly fenced: readonly string[];
  readonly actions: number;
  readonly end: ExecutionEnd;
  readonly plans: number | undefined;
}

/** Costs what {@link carryOutUntilRest} does. */
function carriedOut(cib: Cib, assumed: Assumed): CarriedOut {
  const tally: Tally = { stopped: new Set(), fenced: new Set(), actions: 0 };
  const { output, end, plans } = carryOutUntilRest(cib, assumed, {
    planned: (planned) => {
      count(tally, planned, assumed.unfenceable ?? []);
    },
  });
  return { ...tally, fenced: [...tally.fenced], output, end, plans };
}

interface Tally {
  readonly stopped: Set<string>;
  readonly fenced: Set<string>;
  actions: number;
}

function count(tally: Tally, { graph }: SchedulerRun, unfenceable: readonly string[]): void {
  for (const { action } of graph.synapses) {
    const { kind, operation, primitive, node } = action;
    if (kind === 'crm_event' && operation === 'stonith' && node !== undefined && !unfenceable.includes(node.name))
      tally.fenced.add(node.name);
    if (kind !== 'rsc_op' || operation === 'monitor' || primitive === undefined) continue;
    tally.actions += 1;
    if (operation === 'stop') tally.stopped.add(nameOf(primitive.id));
  }
}
