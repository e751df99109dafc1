import { type Cib, compareVersions } from '@systole/cib';
import { checkDefinitions, runDeferredChecks } from './actions/definition-changes.js';
import { clearRemovedFailCounts, createProbes } from './actions/probes.js';
import { orderRemoteActions } from './actions/remote-orderings.js';
import { createActions } from './actions/resource-actions.js';
import { scheduleFencing } from './actions/schedule-fencing.js';
import { unpackTags } from './input/constraints/references.js';
import { applyHealth } from './input/constraints/health.js';
import { unpackConstraints } from './input/constraints/unpack-constraints.js';
import { FEATURE_SET } from './graph/attributes.js';
import { buildGraph } from './graph/build-graph.js';
import { findChanges, type ResourceChange } from './graph/changes.js';
import type { TransitionGraph } from './graph/transition-graph.js';
import { CibContext } from './model/cib-context.js';
import { unpackNodes } from './input/nodes.js';
import { readOptions } from './input/options.js';
import { unpackResources } from './input/resources.js';
import { Cluster } from './model/cluster.js';
import type { DeepReadonly } from './model/deep-readonly.js';
import { opened } from './model/opened.js';
import { applyRequests } from './ordering/apply-requests.js';
import { blockColocated, settleActions } from './ordering/fixpoint.js';
import { orderImplicitly } from './ordering/implicit.js';
import { disableInvalidRelations } from './ordering/invalid-relations.js';
import { orderProbes } from './ordering/probe-orderings.js';
import { assignAll } from './placement/assign.js';
import { applyLocations, applyShutdownLocks, applyStickiness, applyThresholds } from './placement/criteria.js';
import { unpackStatus } from './input/status/unpack-status.js';
import type { ScheduleOptions } from './schedule-options.js';

/**
 * One run with everything that it found: the nodes, the resource tree and all actions with their relations, also those that don't reach the
 * graph. For the simulator, which draws and describes them; to be read only, which the compiler keeps. `Schedule` is its plain projection.
 */
export interface SchedulerRun {
  readonly cluster: DeepReadonly<Cluster>;
  /** What happens to each primitive, in the order of the transition summary. */
  readonly changes: readonly ResourceChange[];
  readonly graph: TransitionGraph;
}

/** Reads a CIB as far as its present state goes: nodes, resources, history. Nothing is planned (phases 1 to 4 of the specification's overview). */
export function readState(cib: Cib, options: ScheduleOptions): DeepReadonly<Cluster> {
  const context = new CibContext(cib.document, options.now);
  const quorate = context.boolean(cib.document.attributes['have-quorum']) === true;
  const cluster = new Cluster(context, readOptions(context, quorate), quorate, options.scores !== false, options.explain === true);
  cluster.recordUtilization = options.utilization === true;
  if (options.configurationWarnings !== false)
    for (const mistake of [...context.options.mistakes, ...context.configurationWarnings]) cluster.warn(mistake);
  const featureSet = cib.document.attributes['crm_feature_set'];
  if (featureSet !== undefined && compareVersions(featureSet, FEATURE_SET) > 0) {
    cluster.error(`Nothing is scheduled: the CIB's feature set ${featureSet} is newer than ${FEATURE_SET}, so update this program`);
    return cluster;
  }
  unpackNodes(cluster);
  unpackResources(cluster);
  unpackTags(cluster);
  unpackStatus(cluster);
  return cluster;
}

/** Computes what is to be done. */
export function run(cib: Cib, options: ScheduleOptions): SchedulerRun {
  return plan(readState(cib, options));
}

/**
 * Computes what is to be done in a cluster that was read, which it changes: a state is planned for once. The phases follow one another as the
 * specification's overview lists them.
 */
export function plan(read: DeepReadonly<Cluster>): SchedulerRun {
  const cluster = opened(read);
  applyHealth(cluster);
  unpackConstraints(cluster);
  applyShutdownLocks(cluster);
  applyLocations(cluster);
  applyStickiness(cluster);
  applyThresholds(cluster);
  orderImplicitly(cluster);

  checkDefinitions(cluster);
  assignAll(cluster);

  runDeferredChecks(cluster);
  createProbes(cluster);
  clearRemovedFailCounts(cluster);

  createActions(cluster);
  orderRemoteActions(cluster);
  scheduleFencing(cluster);

  applyRequests(cluster);
  blockColocated(cluster);
  orderProbes(cluster);
  settleActions(cluster);
  disableInvalidRelations(cluster);

  const changes = findChanges(cluster);
  return { cluster, changes, graph: buildGraph(cluster) };
}
