import { element } from '@systole/cib';
import { withoutChildren, type Draft } from './draft.js';

/** The resource of a history entry. */
export interface HistoryResource {
  /** Id in the configuration: entries are named after it. */
  readonly configurationId: string;
  /** Name under which an existing history is looked for first (specification 08 §8.5). */
  readonly displayName: string;
  readonly class: string;
  readonly provider?: string | undefined;
  readonly type: string;
}

/** The result of an operation, to be recorded as the reference's simulator does (specification 08 §9.3). */
export interface SimulatedResult {
  readonly task: string;
  /** Milliseconds. */
  readonly interval: number;
  readonly rc: number;
  readonly expectedRc: number;
  /** Empty for a success. */
  readonly exitReason: string;
  readonly nodeName: string;
  /** Real time, epoch seconds. */
  readonly clock: number;
  readonly featureSet: string;
  /** Digest of the parameters; absent when none is recorded. */
  readonly digest?: string;
  readonly notify?: { readonly type: string; readonly operation: string } | undefined;
  readonly migration?: { readonly source: string; readonly target: string } | undefined;
}

const STANDARDS = new Set(['ocf', 'stonith', 'service', 'systemd', 'lsb']);

/** Records a result below a `node_state`. A resource that can't be written to history (no type, unknown standard) is passed over. */
export function recordResult(state: Draft, resource: HistoryResource, result: SimulatedResult): void {
  const found = findHistory(state, resource);
  const history = found ?? addHistory(state, resource);
  if (!history) return;
  // Call ids count per resource and node, and anew in a history that is written anew.
  const callId = found ? nextCallId(found) : 1;
  for (const { id, key, operation } of entryNames(resource.configurationId, result)) {
    const attributes = entryAttributes(id, key, operation, callId, result);
    const entry = history.byId('lrm_rsc_op', id);
    if (entry) entry.setAll(attributes);
    else history.append(element('lrm_rsc_op', attributes));
  }
}

/** Takes the record of a resource's last failure off a `node_state`: what is recorded next stands for itself. */
export function forgetLastFailure(state: Draft, resource: string): void {
  const histories = state.first('lrm')?.first('lrm_resources');
  for (const history of [...(histories?.all('lrm_resource') ?? [])]) {
    if (history.byId('lrm_rsc_op', `${resource}_last_failure_0`) === undefined) continue;
    history.rewrite((written) => withoutChildren(written, ({ id }) => id === `${resource}_last_failure_0`));
  }
}

/** Gives the record of a resource's last failure the digest that the operation that failed has in its history, if it is there. */
export function copyDigestToFailure(state: Draft, resource: string, task: string, interval: number): void {
  const history = state.first('lrm')?.first('lrm_resources')?.byId('lrm_resource', resource);
  const done = history?.byId('lrm_rsc_op', interval > 0 ? `${resource}_${task}_${String(interval)}` : `${resource}_last_0`);
  const digest = done?.get('operation') === task ? done.get('op-digest') : undefined;
  if (digest !== undefined) history?.byId('lrm_rsc_op', `${resource}_last_failure_0`)?.set('op-digest', digest);
}

/**
 * The resource's history: under its display name, else under its configured id. One that is there twice is not found (specification 08 §9.3,
 * step 2; 03 §10.1 for "exactly one").
 */
function findHistory(state: Draft, { displayName, configurationId }: HistoryResource): Draft | undefined {
  const resources = state.first('lrm')?.first('lrm_resources');
  return resources?.onlyById('lrm_resource', displayName) ?? resources?.onlyById('lrm_resource', configurationId);
}

/** A new history; when there are several already, it is merged into the first of them. */
function addHistory(state: Draft, { configurationId: id, class: standard, provider, type }: HistoryResource): Draft | undefined {
  if (!STANDARDS.has(standard) || type === '' || (standard === 'ocf' && provider === undefined)) return undefined;
  const resources = state.firstOrNew('lrm', { id: state.get('id') ?? '' }).firstOrNew('lrm_resources');
  const agent = { class: standard, ...(standard === 'ocf' && provider !== undefined ? { provider } : {}), type };
  return resources.byId('lrm_resource', id) ?? resources.append(element('lrm_resource', { id, ...agent }));
}

function nextCallId(history: Draft): number {
  return 1 + history.named('lrm_rsc_op').reduce((highest, { attributes }) => Math.max(highest, Number(attributes['call-id'] ?? 0) || 0), 0);
}

interface EntryName {
  readonly id: string;
  readonly key: string;
  readonly operation: string;
}

/** Which entries a result makes (specification 08 §9.3, step 5). */
function entryNames(id: string, result: SimulatedResult): EntryName[] {
  const { task, interval, notify } = result;
  if (task === 'notify') {
    return [{ id: `${id}_${notify?.type ?? ''}_notify_${notify?.operation ?? ''}_0`, key: `${id}_notify_0`, operation: task }];
  }
  if (task === 'migrate_to' || task === 'migrate_from') return [{ id: `${id}_${task}_0`, key: `${id}_${task}_0`, operation: task }];
  if (result.rc !== result.expectedRc) {
    const failure = { id: `${id}_last_failure_0`, key: `${id}_${task}_${interval}`, operation: task };
    return interval > 0 ? [failure] : [failure, { ...failure, id: `${id}_last_0` }];
  }
  if (interval > 0) return [{ id: `${id}_${task}_${interval}`, key: `${id}_${task}_${interval}`, operation: task }];
  const operation = task === 'reload' || task === 'reload-agent' ? 'start' : task;
  return [{ id: `${id}_last_0`, key: `${id}_${operation}_0`, operation }];
}

function entryAttributes(id: string, key: string, operation: string, callId: number, result: SimulatedResult): Record<string, string> {
  const transitionKey = `${callId}:-1:${result.expectedRc}:xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`;
  return {
    id,
    operation_key: key,
    operation,
    'crm-debug-origin': 'crm_simulate',
    crm_feature_set: result.featureSet,
    'transition-key': transitionKey,
    'transition-magic': `0:${result.rc};${transitionKey}`,
    'exit-reason': result.exitReason,
    on_node: result.nodeName,
    'call-id': String(callId),
    'rc-code': String(result.rc),
    'op-status': '0',
    interval: String(result.interval),
    'last-rc-change': String(result.clock),
    'exec-time': '0',
    'queue-time': '0',
    ...(result.migration ? { migrate_source: result.migration.source, migrate_target: result.migration.target } : {}),
    ...(result.digest === undefined ? {} : { 'op-digest': result.digest }),
  };
}
