import { intervalMs, parameterDigest, timeoutMs } from '@systole/cib';
import { configured, existing, nodeNamed, type OperationDraft, type ScenarioDraft } from './scenario-draft.js';
import { impliedResource } from './scenario-implied.js';

/** Results that leave a resource in a role on a node, as an executor would have recorded them, with the recurring operations of the role. */
export function addHistory(draft: ScenarioDraft, id: string, role: string, node: string): void {
  if (!['started', 'stopped', 'promoted', 'unpromoted'].includes(role)) throw new Error(`"${role}" is no role in history`);
  if (role === 'stopped') {
    addEntry(draft, id, 'monitor', node, { 'rc-code': '7', expected: '7' });
    return;
  }
  addEntry(draft, id, 'start', node, {});
  if (role === 'promoted') addEntry(draft, id, 'promote', node, {});
  for (const { attributes } of draft.recorded.has(id) ? [] : operationsIn(draft, id)) {
    const { name = '', interval = '0', role: of, enabled } = attributes;
    const fits = role === 'promoted' ? of === 'Promoted' : of !== 'Promoted' && of !== 'Stopped';
    if (intervalMs(interval) === 0 || !fits || enabled === 'false') continue;
    addEntry(draft, id, name, node, { interval, ...(role === 'promoted' ? { 'rc-code': '8', expected: '8' } : {}) });
  }
}

/** An operation that failed; with `count` also the fail count and the time of the failure among the node's attributes. */
export function addFailure(draft: ScenarioDraft, [id = '', task = '', node = '']: readonly string[], given: Record<string, string>): void {
  const { rc = '1', status = '4', count, at, ...more } = given;
  const op = operationsIn(draft, id).find(({ attributes }) => attributes['name'] === task && intervalMs(attributes['interval']) > 0);
  const interval = more['interval'] ?? (task === 'monitor' ? (op?.attributes['interval'] ?? '0') : '0');
  const time = at ?? String(draft.now - 10);
  addEntry(draft, id, task, node, { 'last-rc-change': time, ...more, interval, 'rc-code': rc, 'op-status': status });
  if (count === undefined) return;
  const key = `${id}#${task}_${intervalMs(interval)}`;
  Object.assign(nodeNamed(draft, node).transient, { [`fail-count-${key}`]: count, [`last-failure-${key}`]: time });
}

/** One history entry: a success unless the attributes say otherwise; `expected` is the return code that was asked for, `-` takes an attribute away. */
export function addEntry(draft: ScenarioDraft, id: string, task: string, nodeName: string, given: Record<string, string>): void {
  const { interval = '0', expected = '0', ...more } = given;
  const ms = intervalMs(interval);
  const entries = nodeNamed(draft, nodeName).history;
  const call = callsSoFar(draft) + 1;
  const rc = more['rc-code'] ?? '0';
  const status = more['op-status'] ?? '0';
  const failed = status !== '0' && status !== '-1';
  const key = `${call}:1:${expected}:aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee`;
  const list = entries.get(id) ?? [];
  entries.set(id, list);
  const attributes = {
    id: failed ? `${id}_last_failure_0` : ms > 0 ? `${id}_${task}_${ms}` : `${id}_last_${call}`,
    operation_key: `${id}_${task}_${ms}`,
    operation: task,
    'call-id': String(call),
    'rc-code': rc,
    'op-status': status,
    interval: String(ms),
    on_node: nodeName,
    'last-rc-change': String(draft.now - 1000 + call),
    'transition-key': key,
    'transition-magic': `${status}:${rc};${key}`,
    'op-digest': digestOf(draft, id, task, ms),
    crm_feature_set: '3.19.0',
    ...more,
  };
  list.push(Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== '-')));
}

function callsSoFar(draft: ScenarioDraft): number {
  let calls = 0;
  for (const { history } of draft.nodes.values()) for (const entries of history.values()) calls += entries.length;
  return calls;
}

/** The digest that an unchanged configuration has (specification 01 §11). */
function digestOf(draft: ScenarioDraft, id: string, task: string, ms: number): string {
  const resource = impliedResource(draft, id) ?? configured(draft, id);
  const hashed = new Map(Object.entries(resource?.params ?? {}));
  if (ms > 0) {
    const op = resource?.ops.find(({ attributes }) => attributes['name'] === task && intervalMs(attributes['interval']) === ms);
    hashed.set('CRM_meta_timeout', String(timeoutMs(op?.attributes['timeout'] ?? draft.opDefaults['timeout'])));
  }
  return parameterDigest(hashed);
}

function operationsIn(draft: ScenarioDraft, id: string): readonly OperationDraft[] {
  return (impliedResource(draft, id) ?? existing(draft, id)).ops;
}
