import { primitiveIdOf } from '@systole/cib';
import type { GraphAction, Synapse, TransitionGraph } from '@systole/scheduler';
import { forgetLastFailure, recordResult } from '../cib/history.js';
import { forgetFailCounts, injectFailCount, takeDown } from '../cib/node-changes.js';
import { OperationDigests } from '../cib/operation-digests.js';
import type { WorkingCib } from '../cib/working-cib.js';
import { describeAction, type ExecutionEvent, hasNoHistory, intervalOf } from './executed-action.js';
import { type ExecutionEnd, executeInOrder } from './order-of-execution.js';

/** What a simulated execution needs beside the graph and the CIB. */
export interface GraphSimulationOptions {
  /** Real time in epoch seconds, which the simulated history carries. */
  readonly clock: number;
  /** Whether some resource of the scheduled tree has this id or history name (specification 08 §8.5). */
  readonly isResourceName: (name: string) => boolean;
  /** Operations that fail, as `RESOURCE_TASK_INTERVAL@NODE=RC` (specification 08 §8.4). */
  readonly failures?: readonly string[];
  /** `clear_failcount` takes failures away, as a running cluster does; else it changes nothing, as the reference's simulator has it (specification 08 §9). */
  readonly clearsFailures?: boolean;
  /** Names of nodes that nothing can fence: their fencing never begins. */
  readonly unfenceable?: ReadonlySet<string>;
}

/** Pretends to execute a graph: every action succeeds, unless it is named as failing; the CIB gets the results (specification 08 §8, §9). */
export function simulateGraph(
  graph: TransitionGraph,
  cib: WorkingCib,
  options: GraphSimulationOptions,
  report: (event: ExecutionEvent) => void,
): ExecutionEnd {
  const digests = new OperationDigests();
  const { unfenceable } = options;
  const canBegin = ({ action }: Synapse): boolean =>
    unfenceable === undefined || !isFencing(action) || !unfenceable.has(action.node?.name ?? '');
  const perform = ({ action }: Synapse): boolean => {
    const displayName = displayNameOf(action, options.isResourceName);
    report(describeAction(action, displayName));
    if (action.kind === 'crm_event') {
      fence(action, cib);
      if (options.clearsFailures === true) clearFailures(action, cib);
      return true;
    }
    if (action.kind === 'pseudo_event' || hasNoHistory(action.operation)) return true;
    return record({ action, displayName, graph, cib, digests, options, report });
  };
  return executeInOrder(graph, perform, canBegin);
}

/** The name that the listing and the history use for a resource (specification 08 §8.5). */
function displayNameOf({ primitive }: GraphAction, isResourceName: (name: string) => boolean): string {
  if (!primitive) return '';
  const { id, longId } = primitive;
  return !isResourceName(id) && longId !== undefined && isResourceName(longId) ? longId : id;
}

/** Whether an action switches a node off. */
function isFencing({ kind, operation, attributes }: GraphAction): boolean {
  return kind === 'crm_event' && operation === 'stonith' && attributes['CRM_meta_stonith_action'] !== 'on';
}

function fence(action: GraphAction, cib: WorkingCib): void {
  const { node } = action;
  if (!isFencing(action) || !node) return;
  takeDown(cib.nodeState(node.name, node.id), cib, 'simulate_fencing_action');
}

function clearFailures({ operation, node, primitive }: GraphAction, cib: WorkingCib): void {
  if (operation !== 'clear_failcount' || !node || !primitive) return;
  const state = cib.nodeState(node.name, node.router === undefined ? node.id : node.name);
  for (const name of new Set([primitive.id, primitiveIdOf(primitive.id)])) {
    forgetFailCounts(state, name);
    forgetLastFailure(state, name);
  }
}

interface Execution {
  readonly action: GraphAction;
  readonly displayName: string;
  readonly graph: TransitionGraph;
  readonly cib: WorkingCib;
  readonly digests: OperationDigests;
  readonly options: GraphSimulationOptions;
  readonly report: (event: ExecutionEvent) => void;
}

/** Records the result of a resource action; true when it succeeded. */
function record(execution: Execution): boolean {
  const { action, displayName, graph, cib, digests, options, report } = execution;
  const { node, primitive, attributes, operation: task } = action;
  if (!node || !primitive) return true;
  const state = cib.nodeState(node.name, node.router === undefined ? node.id : node.name);
  const interval = intervalOf(action);
  const expectedRc = Number(attributes['CRM_meta_op_target_rc'] ?? 0);
  const failure = pretendedFailure(execution, interval);
  if (failure) {
    report({ kind: 'pretended-failure', actionId: action.id, rc: failure.rc });
    const fatal = (task === 'start' && graph.failedStartOffset === 'INFINITY') || task === 'stop';
    for (const attribute of injectFailCount(state, { resource: failure.resource, task, interval, rc: failure.rc }, fatal, options.clock)) {
      report({ kind: 'attribute-injected', ...attribute });
    }
  }
  const { CRM_meta_migrate_source: source, CRM_meta_migrate_target: target } = attributes;
  recordResult(
    state,
    { configurationId: primitive.id, displayName, class: primitive.class, provider: primitive.provider, type: primitive.type },
    {
      task,
      interval,
      rc: failure?.rc ?? expectedRc,
      expectedRc,
      exitReason: failure && failure.rc !== expectedRc ? 'User-injected result' : '',
      nodeName: node.name,
      clock: options.clock,
      featureSet: attributes['crm_feature_set'] ?? '',
      digest: digests.of(attributes),
      notify: { type: attributes['CRM_meta_notify_type'] ?? '', operation: attributes['CRM_meta_notify_operation'] ?? '' },
      migration: isMigration(task) && source !== undefined && target !== undefined ? { source, target } : undefined,
    },
  );
  return failure === undefined;
}

const isMigration = (task: string): boolean => task === 'migrate_to' || task === 'migrate_from';

/** The first spec that names this operation, with the name under which it does (specification 08 §8.4). */
function pretendedFailure(
  { action, displayName, options, report }: Execution,
  interval: number,
): { resource: string; rc: number } | undefined {
  for (const spec of options.failures ?? []) {
    for (const resource of new Set([displayName, action.primitive?.id ?? displayName])) {
      const prefix = `${resource}_${action.operation}_${interval}@${action.node?.name ?? ''}=`;
      if (spec.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase()) continue;
      const rc = spec.slice(prefix.length);
      if (/^-?\d+/.test(rc)) return { resource, rc: Number.parseInt(rc, 10) };
      report({ kind: 'error', text: `Invalid failed operation '${spec}' (result code must be integer)` });
      break;
    }
  }
  return undefined;
}
