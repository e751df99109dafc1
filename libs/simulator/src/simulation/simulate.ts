import { type Cib, readCib } from '@systole/cib';
import {
  type Cluster,
  type NodeSummary,
  plan,
  projectRun,
  readState,
  type ResourceSummary,
  type Schedule,
  type ScheduleOptions,
} from '@systole/scheduler';
import { WorkingCib } from '../cib/working-cib.js';
import { renderDot } from '../dot/render-dot.js';
import type { ExecutionEvent } from '../execution/executed-action.js';
import type { ExecutionEnd } from '../execution/order-of-execution.js';
import type { InjectedChange } from '../injections/injected-change.js';
import type { Injections } from '../injections/injections.js';
import { describeChanges, type DescribedTransition } from '../summary/describe-changes.js';
import { executePlan, injectInto } from './run-simulation.js';

export interface SimulationOptions extends ScheduleOptions {
  /** Real time in epoch seconds, which simulated results carry; default `now`. It must not lie before the results that the CIB holds. */
  readonly clock?: number;
  /** What to change before scheduling. */
  readonly injections?: Injections;
  /** Operations that are to fail, as `RESOURCE_TASK_INTERVAL@NODE=RC`. */
  readonly failures?: readonly string[];
  /** Draw the graph in the dot language, too. */
  readonly dot?: boolean;
}

/** Nodes and resources at one moment. */
export interface ClusterStatus {
  readonly nodes: readonly NodeSummary[];
  readonly resources: readonly ResourceSummary[];
}

/** What would follow, as plain data that can be stored as JSON. */
export interface SimulationResult {
  /** The status as it was given, before any injection. */
  readonly before: ClusterStatus;
  /** What the injections did. */
  readonly modifications: readonly InjectedChange[];
  readonly schedule: Schedule;
  /** The schedule in the words of operators: a line per resource and fenced node. */
  readonly transition: DescribedTransition;
  /** The graph in the dot language, if it was asked for. */
  readonly dot?: string;
  /** The pretended execution, action by action. */
  readonly executed: readonly ExecutionEvent[];
  /** `terminated`: some action could never start. */
  readonly end: ExecutionEnd;
  /** The status once everything was carried out. */
  readonly after: ClusterStatus;
}

/**
 * Says what would happen to a cluster: schedules, pretends to execute the graph, and reads the status that results (specification 08 §2.2). Pure.
 *
 * @throws {UnknownNodeError} when an injection names a node that nothing knows.
 */
export function simulate(cib: Cib, options: SimulationOptions): SimulationResult {
  const { now, clock = now } = options;
  const working = new WorkingCib(cib.document);
  const current = readState(cib, options);
  const before = clusterStatus(current, now);
  const modifications = injectInto(working, current, { ...options, clock });
  const planned = plan(modifications ? readState(readCib(working.document()), options) : current);
  const executed: ExecutionEvent[] = [];
  const end = executePlan(planned, working, { ...options, clock }, (event) => executed.push(event));
  return {
    before,
    modifications: modifications ?? [],
    schedule: projectRun(planned, options),
    transition: describeChanges(planned),
    ...(options.dot === true ? { dot: renderDot(planned) } : {}),
    executed,
    end,
    after: clusterStatus(readState(readCib(working.document()), { now, scores: false }), now),
  };
}

/** The status of a cluster that was read, as plain data. */
export function clusterStatus(cluster: Cluster, now: number): ClusterStatus {
  const { nodes, resources } = projectRun({ cluster, changes: [], graph: EMPTY_GRAPH }, { now });
  return { nodes, resources };
}

const EMPTY_GRAPH: Schedule['graph'] = {
  clusterDelay: '60s',
  fencingTimeout: '60s',
  failedStopOffset: 'INFINITY',
  failedStartOffset: 'INFINITY',
  batchLimit: '0',
  synapses: [],
};
