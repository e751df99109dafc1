import { readCib, type Cib } from '@systole/cib';
import { plan, readState, type Cluster, type ResourceSummary, type Role, type SchedulerRun } from '@systole/scheduler';
import { WorkingCib } from '../cib/working-cib.js';
import type { ExecutionEnd } from '../execution/order-of-execution.js';
import type { Injections } from '../injections/injections.js';
import { executePlan, injectInto } from '../simulation/run-simulation.js';
import { clusterStatus } from '../simulation/simulate.js';

/** Where a resource, or an instance of it, is active, and as what. */
export interface ActivePlace {
  readonly node: string;
  readonly role: Exclude<Role, 'Stopped' | 'Unknown'>;
}

/**
 * What a loss does to a resource, the worst first:
 * - `down`: it ran, and runs nowhere any more;
 * - `demoted`: nothing of it is promoted any more;
 * - `reduced`: fewer instances run than before;
 * - `moved`: as many run, elsewhere or in other roles;
 * - `restarted`: it is where it was, and was stopped meanwhile.
 */
export type LossEffect = 'down' | 'demoted' | 'reduced' | 'moved' | 'restarted';

export interface AffectedResource {
  /** Id of a primitive; all instances of a clone of it are told of together. */
  readonly resource: string;
  readonly effect: LossEffect;
  readonly before: readonly ActivePlace[];
  readonly after: readonly ActivePlace[];
}

/** What would become of a cluster that loses some nodes at once. */
export interface LossOutcome {
  /** The nodes that are lost. */
  readonly nodes: readonly string[];
  /** Those of them that are fenced. */
  readonly fenced: readonly string[];
  /** The worst first, then by name. */
  readonly affected: readonly AffectedResource[];
  /** Resources that stay as they are. */
  readonly unaffected: number;
  /** Operations that are carried out; probes and monitors don't count. */
  readonly actions: number;
  /** `terminated`: some action could never begin. */
  readonly end: ExecutionEnd;
  /** How many plans it took to come to rest; undefined when it did not within {@link MOST_PLANS}. */
  readonly plans: number | undefined;
}

/** What is assumed of a loss. */
export interface Loss {
  /** Names. They fail: their machines have to be fenced, where fencing is enabled. */
  readonly nodes: readonly string[];
  /** Whether those that are left have quorum. */
  readonly quorum: boolean;
}

/** A cluster that is not at rest after so many plans has something that fails, or contradicts itself. */
const MOST_PLANS = 6;

const EFFECTS: readonly LossEffect[] = ['down', 'demoted', 'reduced', 'moved', 'restarted'];

/** The document of the cluster once everything that is planned already was carried out: what a loss is compared with. Remembered as long as the document. */
export function settledCib(cib: Cib, now: number): Cib {
  const known = settled.get(cib.document);
  if (known?.now === now) return known.cib;
  const { output } = carriedOut(cib, now, undefined);
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
export function outcomeOfLoss(cib: Cib, { nodes, quorum }: Loss, now: number): LossOutcome & { readonly output: Cib } {
  const before = placesIn(readState(cib, { now, scores: false }), now);
  const { output, stopped, fenced, actions, end, plans } = carriedOut(cib, now, {
    nodesFailed: nodes,
    quorum: quorum ? '1' : '0',
  });
  // What a lost node that nobody could fence may run on with is of no use to anybody.
  const after = placesIn(readState(output, { now, scores: false }), now, new Set(nodes));
  const affected = [...before].flatMap(([resource, were]): readonly AffectedResource[] => {
    const are = after.get(resource) ?? [];
    const effect = effectOf(were, are, stopped.has(resource));
    return effect === undefined ? [] : [{ resource, effect, before: were, after: are }];
  });
  const rank = ({ effect }: AffectedResource): number => EFFECTS.indexOf(effect);
  return {
    nodes,
    fenced: nodes.filter((node) => fenced.includes(node)),
    affected: affected.toSorted((one, other) => rank(one) - rank(other) || (one.resource < other.resource ? -1 : 1)),
    unaffected: before.size - affected.length,
    actions,
    end,
    plans,
    output,
  };
}

interface CarriedOut {
  readonly output: Cib;
  /** Primitives that were stopped at some time. */
  readonly stopped: ReadonlySet<string>;
  readonly fenced: readonly string[];
  readonly actions: number;
  readonly end: ExecutionEnd;
  readonly plans: number | undefined;
}

/** Costs a reading and a plan for each plan that is carried out, and one more. */
function carriedOut(cib: Cib, now: number, injections: Injections | undefined): CarriedOut {
  const options = { now, clock: now, scores: false } as const;
  const tally: Tally = { stopped: new Set(), fenced: new Set(), actions: 0 };
  const result = (output: Cib, end: ExecutionEnd, plans: number | undefined): CarriedOut => ({
    ...tally,
    fenced: [...tally.fenced],
    output,
    end,
    plans,
  });
  let output = cib;
  let working = new WorkingCib(cib.document);
  let cluster = readState(cib, options);
  if (injections !== undefined && injectInto(working, cluster, { ...options, injections }) !== undefined) {
    output = readCib(working.document());
    cluster = readState(output, options);
  }
  let end: ExecutionEnd = 'complete';
  for (let plans = 0; plans < MOST_PLANS; plans++) {
    const planned = plan(cluster);
    if (planned.graph.synapses.length === 0) return result(output, end, plans);
    count(tally, planned);
    end = executePlan(planned, working, options, () => undefined);
    output = readCib(working.document());
    working = new WorkingCib(output.document);
    cluster = readState(output, options);
  }
  return result(output, end, undefined);
}

interface Tally {
  readonly stopped: Set<string>;
  readonly fenced: Set<string>;
  actions: number;
}

function count(tally: Tally, { graph }: SchedulerRun): void {
  for (const { action } of graph.synapses) {
    const { kind, operation, primitive, node } = action;
    if (kind === 'crm_event' && operation === 'stonith' && node !== undefined) tally.fenced.add(node.name);
    if (kind !== 'rsc_op' || operation === 'monitor' || primitive === undefined) continue;
    tally.actions += 1;
    if (operation === 'stop') tally.stopped.add(nameOf(primitive.id));
  }
}

function effectOf(before: readonly ActivePlace[], after: readonly ActivePlace[], wasStopped: boolean): LossEffect | undefined {
  const promoted = (places: readonly ActivePlace[]): number => places.filter(({ role }) => role === 'Promoted').length;
  if (after.length === 0) return 'down';
  if (promoted(before) > 0 && promoted(after) === 0) return 'demoted';
  if (after.length < before.length) return 'reduced';
  if (textOf(before) !== textOf(after)) return 'moved';
  return wasStopped ? 'restarted' : undefined;
}

function textOf(places: readonly ActivePlace[]): string {
  return places.map(({ node, role }) => `${node} ${role}`).join();
}

const NOWHERE: ReadonlySet<string> = new Set();

/** Where each primitive that runs is active, by its name. @param lost nodes that are left out */
function placesIn(cluster: Cluster, now: number, lost: ReadonlySet<string> = NOWHERE): ReadonlyMap<string, readonly ActivePlace[]> {
  const found = new Map<string, ActivePlace[]>();
  const look = (resource: ResourceSummary): void => {
    for (const child of resource.children) look(child);
    const { id, kind, role, activeOn } = resource;
    if (kind !== 'primitive' || role === 'Stopped' || role === 'Unknown') return;
    const places = found.get(nameOf(id)) ?? [];
    places.push(...activeOn.filter((node) => !lost.has(node)).map((node) => ({ node, role })));
    if (places.length > 0) found.set(nameOf(id), places);
  };
  for (const resource of clusterStatus(cluster, now).resources) look(resource);
  for (const places of found.values()) places.sort((one, other) => (one.node < other.node ? -1 : 1));
  return found;
}

/** Without the number of an instance. */
function nameOf(id: string): string {
  return id.replace(/:\d+$/, '');
}
