import { type Cib, readCib } from '@systole/cib';
import { type Cluster, plan, readState, type SchedulerRun } from '@systole/scheduler';
import { WorkingCib } from '../cib/working-cib.js';
import type { ExecutionEvent } from '../execution/executed-action.js';
import type { ExecutionEnd } from '../execution/order-of-execution.js';
import { simulateGraph, type GraphSimulationOptions } from '../execution/simulate-graph.js';
import { injectionContext } from '../injections/injection-context.js';
import { inject } from '../injections/inject.js';
import type { InjectedChange } from '../injections/injected-change.js';
import { hasInjections, type Injections } from '../injections/injections.js';

/** How far a simulation goes: look at the status, plan, or pretend to execute the plan, too. */
export type SimulationDepth = 'status' | 'plan' | 'execute';

export interface SimulationRequest {
  readonly depth: SimulationDepth;
  /** Effective time in epoch seconds. */
  readonly now: number;
  /** Real time in epoch seconds, which simulated results carry. It must not lie before the results that the CIB holds. */
  readonly clock: number;
  /** What to change before planning. */
  readonly injections?: Injections;
  /** Operations that are to fail, as `RESOURCE_TASK_INTERVAL@NODE=RC`. */
  readonly failures?: readonly string[];
  /** Keep the score listing; default true. */
  readonly scores?: boolean;
  /** Keep the utilization listing; default false. */
  readonly utilization?: boolean;
}

/** Watches a simulation, step by step in the order of specification 08 §2.2. A cluster that is shown may change later: look at it at once. */
export interface SimulationObserver {
  /** The status as it was given. */
  current(cluster: Cluster): void;
  modified?(changes: readonly InjectedChange[]): void;
  /** The status that was modified was read again. */
  reread?(cluster: Cluster): void;
  planned?(run: SchedulerRun): void;
  /** The execution begins. */
  executing?(): void;
  executed?(event: ExecutionEvent): void;
  revised?(cluster: Cluster, end: ExecutionEnd): void;
}

export interface SimulatedDocuments {
  /** The CIB that was planned for: after the injections. */
  readonly input: Cib;
  /** The CIB after the execution, or the input when nothing was executed. */
  readonly output: Cib;
}

/**
 * Runs a simulation. Pure: what happens is told to the observer.
 *
 * @throws {UnknownNodeError} when an injection names a node that nothing knows.
 */
export function runSimulation(cib: Cib, request: SimulationRequest, observer: SimulationObserver): SimulatedDocuments {
  const { depth, now, scores = true, utilization = false } = request;
  const options = { now, scores, utilization };
  const working = new WorkingCib(cib.document);
  const current = readState(cib, options);
  observer.current(current);
  const changes = injectInto(working, current, request);
  if (changes) observer.modified?.(changes);
  const input = changes ? readCib(working.document()) : cib;
  const cluster = changes ? readState(input, options) : current;
  if (changes) observer.reread?.(cluster);
  if (depth === 'status') return { input, output: input };
  const planned = plan(cluster);
  observer.planned?.(planned);
  if (depth === 'plan') return { input, output: input };
  observer.executing?.();
  const end = executePlan(planned, working, request, (event) => observer.executed?.(event));
  const output = readCib(working.document());
  observer.revised?.(readState(output, { now, scores: false }), end);
  return { input, output };
}

/**
 * Applies the injections of a request; undefined when there are none.
 *
 * @throws {UnknownNodeError} when one names a node that nothing knows.
 */
export function injectInto(
  working: WorkingCib,
  current: Cluster,
  { injections = {}, clock }: Pick<SimulationRequest, 'injections' | 'clock'>,
): InjectedChange[] | undefined {
  return hasInjections(injections) ? inject(working, injections, injectionContext(current, clock)) : undefined;
}

/** Pretends to execute a plan on a working CIB. `clearsFailures`: as a running cluster does (`GraphSimulationOptions`). */
export function executePlan(
  { cluster, graph }: SchedulerRun,
  working: WorkingCib,
  {
    failures = [],
    clock,
    clearsFailures = false,
    unfenceable,
  }: Pick<SimulationRequest, 'failures' | 'clock'> & Pick<GraphSimulationOptions, 'clearsFailures' | 'unfenceable'>,
  report: (event: ExecutionEvent) => void,
): ExecutionEnd {
  const isResourceName = (name: string): boolean => cluster.resourceNames.has(name);
  const options = { clock, isResourceName, failures, clearsFailures, ...(unfenceable === undefined ? {} : { unfenceable }) };
  return simulateGraph(graph, working, options, report);
}
