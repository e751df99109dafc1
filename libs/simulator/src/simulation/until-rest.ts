import { readCib, type Cib } from '@systole/cib';
import { plan, readState, type Cluster, type SchedulerRun } from '@systole/scheduler';
import type { Draft } from '../cib/draft.js';
import { copyDigestToFailure, forgetLastFailure } from '../cib/history.js';
import { WorkingCib } from '../cib/working-cib.js';
import type { ExecutionEvent } from '../execution/executed-action.js';
import { InvalidOperationSpecError, parseOperationSpec, type OperationSpec } from '../execution/operation-spec.js';
import type { ExecutionEnd } from '../execution/order-of-execution.js';
import type { InjectedChange } from '../injections/injected-change.js';
import type { Injections } from '../injections/injections.js';
import { executePlan, injectInto } from './run-simulation.js';

/** A cluster that is not at rest after so many plans has something that fails, or contradicts itself. */
export const MOST_PLANS = 6;

/** What is assumed of a cluster. */
export interface Assumed {
  /** Effective time in epoch seconds, which simulated results carry as well. */
  readonly now: number;
  /** What happens before the first plan. */
  readonly injections?: Injections;
  /** Operations that fail each time that they are carried out, as `RESOURCE_TASK_INTERVAL@NODE=RC`. */
  readonly failures?: readonly string[];
  /** Names of nodes that no fence device can fence: what has to wait for that waits for ever. */
  readonly unfenceable?: readonly string[];
}

/** Hears of what is done in thought, in its order. */
export interface RestObserver {
  modified?(changes: readonly InjectedChange[]): void;
  /** One that has something to be done. */
  planned?(run: SchedulerRun): void;
  executed?(event: ExecutionEvent): void;
  /** The plan was carried out. */
  ended?(end: ExecutionEnd): void;
}

/** Where a cluster has come to rest. */
export interface Rest {
  readonly output: Cib;
  /** Of the last plan that was carried out: `terminated` where some action could never begin. */
  readonly end: ExecutionEnd;
  /** How many plans it took, of which something was carried out; undefined when it did not come to rest within {@link MOST_PLANS}. */
  readonly plans: number | undefined;
}

/**
 * Plans and carries out, in thought, until nothing is left to be done (specification 08 §2.2). Costs a reading and a plan for each plan that is carried out, and one more. Pure but for the observer.
 *
 * @throws {UnknownNodeError} when an injection names a node that nothing knows
 */
export function carryOutUntilRest(
  cib: Cib,
  { now, injections, failures = [], unfenceable = [] }: Assumed,
  observer: RestObserver = {},
): Rest {
  const options = { now, clock: now, scores: false, failures, clearsFailures: true, unfenceable: new Set(unfenceable) } as const;
  let output = cib;
  let working = new WorkingCib(cib.document);
  let cluster = readState(cib, options);
  const changes = injections === undefined ? undefined : injected(working, cluster, injections, now);
  if (changes !== undefined) {
    observer.modified?.(changes);
    output = readCib(working.document());
    cluster = readState(output, options);
  }
  let end: ExecutionEnd = 'complete';
  for (let plans = 0; plans < MOST_PLANS; plans++) {
    const planned = plan(cluster);
    if (planned.graph.synapses.length === 0) return { output, end, plans };
    observer.planned?.(planned);
    const done: ExecutionEvent[] = [];
    end = executePlan(planned, working, options, (event) => {
      if (event.kind !== 'pseudo-action') done.push(event);
      observer.executed?.(event);
    });
    observer.ended?.(end);
    // What is left waits for what never comes.
    if (done.length === 0) return { output, end, plans };
    output = readCib(working.document());
    working = new WorkingCib(output.document);
    cluster = readState(output, options);
  }
  return { output, end, plans: undefined };
}

/**
 * Injects, with the records that a running cluster would write: of a failure with the digest of the operation that failed. Injecting leaves none, or that of the
 * failure before, and by either the scheduler would hold the parameters for changed, and clear the fail count for ever.
 *
 * @throws {UnknownNodeError} when an injection names a node that nothing knows
 */
function injected(working: WorkingCib, cluster: Cluster, injections: Injections, clock: number): InjectedChange[] | undefined {
  const failed = (injections.operations ?? []).flatMap(failureOf);
  for (const { node, resource } of failed) {
    const state = stateOf(working, node);
    if (state !== undefined) forgetLastFailure(state, resource);
  }
  const changes = injectInto(working, cluster, { injections, clock });
  for (const { node, resource, task, interval } of failed) {
    const state = stateOf(working, node);
    if (state !== undefined) copyDigestToFailure(state, resource, task, interval);
  }
  return changes;
}

function stateOf(working: WorkingCib, node: string): Draft | undefined {
  return working.status.find('node_state', (get) => get('uname') === node);
}

/** None of what is no failure, or can't be read: injecting tells of that. */
function failureOf(operation: string): readonly OperationSpec[] {
  try {
    const spec = parseOperationSpec(operation);
    return spec.rc === 0 ? [] : [spec];
  } catch (error) {
    if (error instanceof InvalidOperationSpecError) return [];
    throw error;
  }
}
