import { childrenNamed, element, firstChildNamed, type XmlElement } from '@systole/cib';
import type { OperationRecorded, OperationStatus } from '../events/cluster-event.js';
import type { OperationDigests } from '../events/operations.js';
import { childById, positionOf, positionsOfAll, putById, putOnly, removeById, removeWhere, withAttributes } from './tree.js';

/** Operation history in Pacemaker's format: `node_state/lrm/lrm_resources/lrm_resource/lrm_rsc_op` (specification 03 §7, 08 §9.3). */

/** `op-status` of a history entry (specification 03 §7.4). A result that was lost counts as an error; it is never written (`recordOperation`). */
export const OP_STATUS: Readonly<Record<OperationStatus, number>> = {
  done: 0,
  cancelled: 1,
  timeout: 2,
  'not-supported': 3,
  error: 4,
  'error-hard': 5,
  'error-fatal': 6,
  'not-installed': 7,
  'not-connected': 8,
  lost: 4,
};

/** Feature set under which entries are written; it decides how digests are compared (specification 01 §11.3). */
export const FEATURE_SET = '3.20.5';
const BY_SERVER = 'systole-server';
const BY_AGENT = 'systole-agent';

export interface TransitionKey {
  readonly graphActionId: number;
  readonly transition: number;
  readonly expectedRc: number;
  /** Of the log in which the transition was planned. */
  readonly epoch: string;
}

/** Reads `<graph action id>:<transition>:<expected rc>:<epoch>`; undefined when it is not that. */
export function parseTransitionKey(text: string): TransitionKey | undefined {
  const match = /^(-?\d+):(-?\d+):(-?\d+):(.+)$/.exec(text);
  if (match === null) return undefined;
  const [, action, transition, rc, epoch] = match;
  return { graphActionId: Number(action), transition: Number(transition), expectedRc: Number(rc), epoch: epoch ?? '' };
}

/** How an operation ended. */
export type Outcome = Pick<OperationRecorded['data'], 'operation' | 'intervalMs' | 'status' | 'rc'>;

/**
 * Whether a result is what was expected: executed, and the return code as wanted. Degraded codes (190, 191) count as their healthy
 * counterparts (specification 03 §7.5). Results of notifications and cancellations are always as expected: nothing depends on them; so
 * is a recurring operation that was cancelled before it ran.
 */
export function isExpected({ operation, intervalMs, status, rc }: Outcome, expectedRc: number): boolean {
  if (operation === 'notify' || operation === 'cancel') return true;
  if (status === 'cancelled' && intervalMs > 0) return true;
  const healthy = rc === 190 ? 0 : rc === 191 ? 8 : rc;
  return status === 'done' && healthy === expectedRc;
}

/** Whether an operation is a probe: a monitor that is not repeated. */
export function isProbe(operation: string, intervalMs: number): boolean {
  return operation === 'monitor' && intervalMs === 0;
}

/** Return code of a probe that finds nothing: what is expected wherever a resource is not thought to be active (specification 02 §13.2). */
export const RC_NOT_RUNNING = 7;
/** Not installed where it was not expected either: it counts as stopped there (specification 03 §7.6). */
const RC_NOT_INSTALLED = 5;

/**
 * Whether a probe has come to something that was not expected, and that nothing has to be done about in a hurry: a resource is active, or is not installed, where it was not thought to be active
 * (specification 03 §7.5). What failed, what was not answered, and what is gone though it was thought to be active has to be recovered.
 */
export function isDiscovery({ operation, intervalMs, status, rc }: Outcome, expectedRc: number): boolean {
  if (!isProbe(operation, intervalMs) || expectedRc !== RC_NOT_RUNNING) return false;
  if (rc === RC_NOT_INSTALLED) return status === 'done' || status === 'not-installed';
  return status === 'done' && ACTIVE.has(String(rc));
}

type Recorded = OperationRecorded['data'];

function lrmResources(nodeState: XmlElement): XmlElement | undefined {
  const lrm = firstChildNamed(nodeState, 'lrm');
  return lrm === undefined ? undefined : firstChildNamed(lrm, 'lrm_resources');
}

function putLrmResources(nodeState: XmlElement, resources: XmlElement): XmlElement {
  const lrm = firstChildNamed(nodeState, 'lrm') ?? element('lrm', { id: nodeState.attributes['id'] ?? '' });
  return putOnly(nodeState, putOnly(lrm, resources));
}

/** Attribute of an `lrm_resource`: since when the resource waits for the node, epoch seconds (specification 03 §9). */
export const SHUTDOWN_LOCK = 'shutdown-lock';

/** Puts an `lrm_resource` in the place of the one of its id, or after the others. */
export function putHistory(nodeState: XmlElement, history: XmlElement): XmlElement {
  return putLrmResources(nodeState, putById(lrmResources(nodeState) ?? element('lrm_resources'), history));
}

/** The `lrm_resource` of that id. */
export function historyOf(nodeState: XmlElement | undefined, resource: string): XmlElement | undefined {
  const resources = nodeState === undefined ? undefined : lrmResources(nodeState);
  return resources === undefined ? undefined : childById(resources, 'lrm_resource', resource);
}

/** Whether a resource may be active where that history is from: all but what was stopped, or probed and not found, last. */
export function mayBeActive(history: XmlElement | undefined, historyId: string): boolean {
  if (history === undefined) return false;
  const { operation, 'rc-code': rc } = lastOperation(history, historyId) ?? {};
  return !((operation === 'stop' && rc === '0') || (operation === 'monitor' && rc === '7'));
}

/** Where a resource was last sent from where its history is. */
export interface SentAway {
  readonly target: string;
  /** Epoch seconds. */
  readonly at: number;
}

/** Where a resource may have arrived that was migrated from where that history is, however that ended; undefined where something came after it there. */
export function sentAway(history: XmlElement | undefined, historyId: string): SentAway | undefined {
  const entry = history === undefined ? undefined : childById(history, 'lrm_rsc_op', `${historyId}_migrate_to_0`);
  const target = entry?.attributes['migrate_target'];
  if (entry === undefined || target === undefined) return undefined;
  const last = Number(lastOperation(history, historyId)?.['call-id'] ?? -1);
  return callIdOf(entry) > last ? { target, at: Number(entry.attributes['last-rc-change'] ?? 0) } : undefined;
}

/** Whether a resource was stopped where that history is from, after a moment, and nothing came since: where the clock went back, what came after it is dated the same. @param at epoch seconds */
export function wasStoppedSince(history: XmlElement | undefined, historyId: string, at: number): boolean {
  const { operation, 'rc-code': rc, 'last-rc-change': changed } = lastOperation(history, historyId) ?? {};
  return operation === 'stop' && rc === '0' && Number(changed ?? 0) > at;
}

/** Whether the last that was heard of a resource where that history is from is that it could not be stopped, or demoted. */
export function wasNotStopped(history: XmlElement | undefined, historyId: string): boolean {
  const { operation, 'rc-code': rc } = lastOperation(history, historyId) ?? {};
  return (operation === 'stop' || operation === 'demote') && rc !== '0';
}

/** Return codes of what runs: started or found running, promoted, both also degraded. */
const ACTIVE: ReadonlySet<string | undefined> = new Set(['0', '8', '190', '191']);

/** Whether a resource is active where that history is from, as far as the last operation tells: not where that failed. */
export function isActive(history: XmlElement | undefined, historyId: string): boolean {
  const { operation, 'rc-code': rc } = lastOperation(history, historyId) ?? {};
  return operation !== undefined && operation !== 'stop' && ACTIVE.has(rc);
}

/** Whether a resource is promoted where that history is from, as far as its last operation tells, or a monitor that came after it. */
export function isPromoted(history: XmlElement | undefined, historyId: string): boolean {
  const last = lastOperation(history, historyId);
  if (history === undefined || last === undefined || !isActive(history, historyId)) return false;
  const lastCall = Number(last['call-id'] ?? 0);
  const found = childrenNamed(history, 'lrm_rsc_op').some(
    (entry) => entry.attributes['operation'] === 'monitor' && RUNS_PROMOTED.has(entry.attributes['rc-code']) && callIdOf(entry) > lastCall,
  );
  return found || RUNS_PROMOTED.has(last['rc-code']) || last['operation'] === 'promote';
}

/** Return codes of what runs promoted, also degraded. */
const RUNS_PROMOTED: ReadonlySet<string | undefined> = new Set(['8', '191']);

/** What it came here by, when it was migrated, stands apart. */
function lastOperation(history: XmlElement | undefined, historyId: string): Readonly<Record<string, string>> | undefined {
  if (history === undefined) return undefined;
  const entries = [`${historyId}_last_0`, `${historyId}_migrate_from_0`].flatMap((id) => childById(history, 'lrm_rsc_op', id) ?? []);
  const newest = entries.reduce<XmlElement | undefined>(
    (last, entry) => (last === undefined || callIdOf(entry) > callIdOf(last) ? entry : last),
    undefined,
  );
  return newest?.attributes;
}

/** Ids of all `lrm_resource`s of a node, in document order. */
export function resourcesWithHistory(nodeState: XmlElement): readonly string[] {
  const resources = lrmResources(nodeState);
  if (resources === undefined) return [];
  return childrenNamed(resources, 'lrm_resource').flatMap(({ attributes }) => attributes['id'] ?? []);
}

/** Which of these resources, and of their instances (`web:0`), a node has a history of, in document order: looked up, so that it costs what is asked for. */
export function historiesAmong(nodeState: XmlElement, ids: Iterable<string>): readonly string[] {
  const resources = lrmResources(nodeState);
  if (resources === undefined) return [];
  const positions = new Set([...ids].flatMap((id) => positionsOfAll(resources, 'lrm_resource', id)));
  return [...positions]
    .toSorted((a, b) => a - b)
    .flatMap((position) => {
      const child = resources.children[position];
      return child?.kind === 'element' ? (child.attributes['id'] ?? []) : [];
    });
}

/** Ids under which a result is kept, and how it names itself (specification 08 §9.3 row 5). Empty for what leaves no entry. */
function entryNames(
  data: Recorded,
  expected: boolean,
): { readonly ids: readonly string[]; readonly operation: string; readonly key: string } {
  const { resource, operation, intervalMs } = data;
  switch (operation) {
    case 'notify':
    case 'cancel':
    case 'delete':
    case 'meta-data':
      return { ids: [], operation, key: '' };
    case 'migrate_to':
    case 'migrate_from':
      return { ids: [`${resource}_${operation}_0`], operation, key: `${resource}_${operation}_0` };
    case 'reload':
    case 'reload-agent':
      if (expected) return { ids: [`${resource}_last_0`], operation: 'start', key: `${resource}_start_0` };
  }
  const key = `${resource}_${operation}_${String(intervalMs)}`;
  const last = intervalMs > 0 ? key : `${resource}_last_0`;
  if (expected) return { ids: [last], operation, key };
  return { ids: intervalMs > 0 ? [`${resource}_last_failure_0`] : [`${resource}_last_failure_0`, last], operation, key };
}

/** Attributes of a history entry that say with which parameters it was carried out, in the order in which they are written. */
const DIGEST_ATTRIBUTES = [
  ['opDigest', 'op-digest'],
  ['opForceRestart', 'op-force-restart'],
  ['opRestartDigest', 'op-restart-digest'],
  ['opSecureParams', 'op-secure-params'],
  ['opSecureDigest', 'op-secure-digest'],
] as const;

/** What a history entry says of the parameters that it was carried out with; undefined where it says nothing. */
export function recordedDigests(entry: Readonly<Record<string, string>>): OperationDigests | undefined {
  const { 'op-digest': opDigest } = entry;
  if (opDigest === undefined) return undefined;
  return DIGEST_ATTRIBUTES.reduce<OperationDigests>(
    (digests, [name, attribute]) => (entry[attribute] === undefined ? digests : { ...digests, [name]: entry[attribute] }),
    { opDigest },
  );
}

/** Made once for each result: whoever adds what is optional to the object that is there need not make it anew each time. */
function entryAttributes(id: string, data: Recorded, names: { operation: string; key: string }, callId: number): Record<string, string> {
  const status = OP_STATUS[data.status];
  const { digests } = data;
  const attributes: Record<string, string> = {
    id,
    operation_key: names.key,
    operation: names.operation,
    'crm-debug-origin': data.incarnation === 0 ? BY_SERVER : BY_AGENT,
    crm_feature_set: FEATURE_SET,
    'transition-key': data.transitionKey,
    'transition-magic': `${String(status)}:${String(data.rc)};${data.transitionKey}`,
    'exit-reason': data.exitReason ?? '',
    on_node: data.node,
    'call-id': String(callId),
    'rc-code': String(data.rc),
    'op-status': String(status),
    interval: String(data.intervalMs),
    'last-rc-change': String(data.lastRcChange),
    'exec-time': String(data.execMs),
    'queue-time': String(data.queueMs),
  };
  if (data.migrateSource !== undefined) attributes['migrate_source'] = data.migrateSource;
  if (data.migrateTarget !== undefined) attributes['migrate_target'] = data.migrateTarget;
  if (digests === undefined) return attributes;
  for (const [name, attribute] of DIGEST_ATTRIBUTES) {
    const value = digests[name];
    if (value !== undefined) attributes[attribute] = value;
  }
  return attributes;
}

/** A stop may begin a lock. It ends when the resource is begun with anew, or is found there; what only shows that it is still stopped leaves it. */
function withLockOf(history: XmlElement, { operation, intervalMs, status, rc, shutdownLock }: Recorded): XmlElement {
  if (shutdownLock !== undefined) return withAttributes(history, { [SHUTDOWN_LOCK]: String(shutdownLock) });
  const staysStopped = status === 'done' && (operation === 'stop' ? rc === 0 : isProbe(operation, intervalMs) && rc === RC_NOT_RUNNING);
  return staysStopped || history.attributes[SHUTDOWN_LOCK] === undefined
    ? history
    : withAttributes(history, { [SHUTDOWN_LOCK]: undefined });
}

function callIdOf(entry: XmlElement): number {
  const parsed = Number.parseInt(entry.attributes['call-id'] ?? '', 10);
  return Number.isNaN(parsed) ? -1 : parsed;
}

/** A result that the server made up has no call id of the agent's: it follows everything that is there. */
function callIdFor(data: Recorded, history: XmlElement): number {
  if (data.incarnation !== 0) return data.callId;
  return 1 + Math.max(0, ...childrenNamed(history, 'lrm_rsc_op').map(callIdOf));
}

/** Whether an entry tells of something newer: the same agent counted further when it ran that. */
function isOutrun(entry: XmlElement | undefined, data: Recorded): boolean {
  if (entry === undefined || data.incarnation === 0 || entry.attributes['crm-debug-origin'] !== BY_AGENT) return false;
  return callIdOf(entry) > data.callId;
}

/**
 * Writes a result into the node's history.
 *
 * - An ordinary result makes or replaces entries as 08 §9.3 says; one that is older than the entry (a smaller call id of the same
 *   agent's) leaves it.
 * - `cancel` (or status `cancelled`) removes the entry of the recurring operation.
 * - `delete` removes the whole `lrm_resource`; so does an operation that was lost or broken off, since only a probe can tell what became of
 *   the resource.
 */
export function recordOperation(nodeState: XmlElement, data: Recorded, expected: boolean): XmlElement {
  if (data.status === 'lost' || (data.status === 'cancelled' && data.intervalMs === 0)) return deleteHistory(nodeState, data.resource);
  if (data.operation === 'delete') return data.status === 'done' ? deleteHistory(nodeState, data.resource) : nodeState;
  if (data.operation === 'cancel' || data.status === 'cancelled') return removeRecurring(nodeState, data.resource, data.intervalMs);
  const names = entryNames(data, expected);
  if (names.ids.length === 0) return nodeState;
  const resources = lrmResources(nodeState) ?? element('lrm_resources');
  const before =
    childById(resources, 'lrm_resource', data.resource) ??
    element('lrm_resource', {
      id: data.resource,
      class: data.class,
      ...(data.provider === undefined ? {} : { provider: data.provider }),
      type: data.agentType,
    });
  const callId = callIdFor(data, before);
  let history = withLockOf(before, data);
  for (const id of names.ids) {
    if (isOutrun(childById(history, 'lrm_rsc_op', id), data)) continue;
    history = putById(history, element('lrm_rsc_op', entryAttributes(id, data, names, callId)));
  }
  return history === before ? nodeState : putLrmResources(nodeState, putById(resources, history));
}

/** Whether the same execution with the same outcome stands in the history already (a repeated report). Its date is no part of that: it is reckoned anew from each report. */
export function isRecorded(nodeState: XmlElement | undefined, data: Recorded): boolean {
  const history = historyOf(nodeState, data.resource);
  if (history === undefined) return false;
  return childrenNamed(history, 'lrm_rsc_op').some(
    ({ attributes }) =>
      attributes['operation'] === data.operation &&
      attributes['interval'] === String(data.intervalMs) &&
      attributes['transition-key'] === data.transitionKey &&
      attributes['call-id'] === String(data.callId) &&
      attributes['rc-code'] === String(data.rc) &&
      attributes['op-status'] === String(OP_STATUS[data.status]) &&
      attributes['exec-time'] === String(data.execMs) &&
      attributes['queue-time'] === String(data.queueMs) &&
      attributes['crm-debug-origin'] === BY_AGENT,
  );
}

function editHistory(nodeState: XmlElement, resource: string, edit: (history: XmlElement) => XmlElement): XmlElement {
  const resources = lrmResources(nodeState);
  const before = resources === undefined ? undefined : childById(resources, 'lrm_resource', resource);
  if (resources === undefined || before === undefined) return nodeState;
  const after = edit(before);
  return after === before ? nodeState : putLrmResources(nodeState, putById(resources, after));
}

function removeRecurring(nodeState: XmlElement, resource: string, intervalMs: number): XmlElement {
  if (intervalMs === 0) return nodeState;
  return editHistory(nodeState, resource, (history) =>
    removeWhere(
      history,
      ({ attributes }) => attributes['interval'] === String(intervalMs) && attributes['id'] !== `${resource}_last_failure_0`,
    ),
  );
}

/**
 * Whether a resource's history shows a failure: an operation that was not executed to its end, or ended with another code than expected. A
 * probe that found the resource active, or stopped, has not failed, whatever was expected.
 */
export function hasFailedOperation(history: XmlElement | undefined): boolean {
  if (history === undefined) return false;
  return childrenNamed(history, 'lrm_rsc_op').some(({ attributes }) => {
    const { operation = '', interval, 'op-status': status, 'rc-code': code, 'transition-key': key } = attributes;
    if (status !== '0') return true;
    const rc = Number(code);
    if (operation === 'monitor' && interval === '0' && FOUND.has(rc)) return false;
    const expectedRc = parseTransitionKey(key ?? '')?.expectedRc ?? 0;
    return !isExpected({ operation, intervalMs: Number(interval), status: 'done', rc }, expectedRc);
  });
}

/** What a probe may find: running, stopped, promoted; the first and the last also when they are degraded. */
const FOUND: ReadonlySet<number> = new Set([0, 7, 8, 190, 191]);

/** One operation, or all when it is absent. */
export interface OperationFilter {
  readonly operation?: string;
  readonly intervalMs?: number;
}

function matches(entry: XmlElement, filter: OperationFilter): boolean {
  const { operation, interval } = entry.attributes;
  return (
    (filter.operation === undefined || filter.operation === operation) &&
    (filter.intervalMs === undefined || String(filter.intervalMs) === interval)
  );
}

/** Whether the last failure that a history tells of was in that operation. */
export function hasLastFailure(history: XmlElement | undefined, resource: string, filter: OperationFilter): boolean {
  const entry = history === undefined ? undefined : childById(history, 'lrm_rsc_op', `${resource}_last_failure_0`);
  return entry !== undefined && matches(entry, filter);
}

/** Removes the history of a resource, or the entries of one operation; an `lrm_resource` without entries goes too. */
export function deleteHistory(nodeState: XmlElement, resource: string, filter: OperationFilter = {}): XmlElement {
  const resources = lrmResources(nodeState);
  if (resources === undefined || positionOf(resources, 'lrm_resource', resource) < 0) return nodeState;
  const all = filter.operation === undefined && filter.intervalMs === undefined;
  const edited = all ? nodeState : editHistory(nodeState, resource, (history) => removeWhere(history, (entry) => matches(entry, filter)));
  const rest = historyOf(edited, resource);
  if (!all && rest !== undefined && childrenNamed(rest, 'lrm_rsc_op').length > 0) return edited;
  return putLrmResources(edited, removeById(lrmResources(edited) ?? resources, 'lrm_resource', resource));
}

/** Removes the entry of the last failure, of any operation or of the one named. */
export function forgetLastFailure(nodeState: XmlElement, resource: string, filter: OperationFilter): XmlElement {
  const id = `${resource}_last_failure_0`;
  return editHistory(nodeState, resource, (history) => {
    const entry = childById(history, 'lrm_rsc_op', id);
    return entry !== undefined && matches(entry, filter) ? removeById(history, 'lrm_rsc_op', id) : history;
  });
}
