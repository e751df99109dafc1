import { nodePseudo } from '../requests/action-requests.js';
import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import type { Resource } from '../model/resource.js';
import { createNotifications } from '../ordering/notify-instances.js';
import { summarize } from '../ordering/summary-state.js';
import { GraphActions } from './graph-action.js';
import { maintenanceChanges } from './maintenance.js';
import { keepsInput, mergeInputs } from '../ordering/input-filter.js';
import type { Synapse, TransitionGraph } from './transition-graph.js';

/** Writes the transition graph (specification 08 §3). Notifications come into being here. */
export function buildGraph(cluster: Cluster): TransitionGraph {
  const written: Action[] = [];
  for (const resource of cluster.resources) addResource(cluster, written, resource);
  addMaintenance(cluster);
  for (let i = cluster.actions.length - 1; i >= 0; i--) {
    const action = cluster.actions[i];
    if (action) addAction(written, action);
  }
  const graphActions = new GraphActions(cluster);
  const synapses = written.map((action, id): Synapse => {
    const priority = Math.max(0, action.resource?.workingPriority ?? 0, action.priority);
    return { id, priority, action: graphActions.of(action), inputs: inputsOf(action) };
  });
  const { options } = cluster;
  const recheckBy = cluster.cib.recheckBy;
  return {
    clusterDelay: options.clusterDelay,
    fencingTimeout: options.fencingTimeout,
    failedStopOffset: 'INFINITY',
    failedStartOffset: options.startFailureIsFatal ? 'INFINITY' : '1',
    batchLimit: options.batchLimit,
    ...(options.migrationLimit === undefined ? {} : { migrationLimit: options.migrationLimit }),
    ...(recheckBy === undefined ? {} : { recheckBy }),
    synapses,
  };
}

function addResource(cluster: Cluster, written: Action[], resource: Resource): void {
  switch (resource.kind) {
    case 'primitive':
      addOwn(written, resource);
      break;
    case 'group':
      addOwn(written, resource);
      for (const member of resource.children) addResource(cluster, written, member);
      break;
    case 'clone':
      addClone(cluster, written, resource);
      break;
    case 'bundle':
      if (resource.bundle?.inner) addClone(cluster, written, resource.bundle.inner);
      for (const { ip, container, connection } of resource.bundle?.replicas ?? []) {
        for (const part of [ip, container, connection]) if (part) addOwn(written, part);
      }
  }
}

function addClone(cluster: Cluster, written: Action[], clone: Resource): void {
  for (const action of [...clone.actions.all].reverse()) summarize(action, undefined);
  createNotifications(cluster, clone);
  for (const instance of clone.children) addResource(cluster, written, instance);
  addOwn(written, clone);
}

function addOwn(written: Action[], resource: Resource): void {
  const { all } = resource.actions;
  for (let i = all.length - 1; i >= 0; i--) {
    const action = all[i];
    if (action) addAction(written, action);
  }
}

/** Takes an action in unless it is written, or can't or needn't be carried out. */
function addAction(written: Action[], action: Action): void {
  if (action.written) return;
  mergeInputs(action);
  if (!belongsInGraph(action)) return;
  action.written = true;
  for (const relation of action.inputs) if (keepsInput(action, relation)) relation.inGraph = true;
  written.push(action);
}

/** Ids of the inputs. One that didn't get into the graph itself would be waited for in vain. */
function inputsOf(action: Action): number[] {
  const inputs: number[] = [];
  for (const relation of action.inputs) {
    if (!relation.first.written) relation.inGraph = false;
    if (relation.inGraph) inputs.push(relation.first.id);
  }
  return inputs;
}

/** Specification 08 §3.2. */
function belongsInGraph(action: Action): boolean {
  if (!action.runnable || (action.optional && !action.graphForced)) return false;
  const { resource, node, task } = action;
  const interval = action.meta.get('interval');
  if (resource?.managed === false && task !== 'monitor' && (interval === undefined || interval === '0')) return false;
  if (action.pseudo || task === 'stonith' || task === 'do_shutdown') return true;
  if (!node) return false;
  if (task === 'lrm_delete') return true;
  if (node.isGuest && !node.toBeReset) return true;
  return node.clean;
}

function addMaintenance(cluster: Cluster): void {
  if (maintenanceChanges(cluster).length === 0) return;
  nodePseudo(cluster, 'maintenance_nodes', 'maintenance_nodes', undefined).graphForced = true;
}
