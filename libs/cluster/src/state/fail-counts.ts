import { readingOf, type XmlElement } from '@systole/cib';
import type { OperationRecorded } from '../events/cluster-event.js';
import { isProbe, type OperationFilter } from './history.js';
import { removeTransientAttributes, setTransientAttribute, transientAttribute } from './node-state.js';

/**
 * Fail counts: the transient attributes `fail-count-R#op_ms` and `last-failure-R#op_ms` that an unexpected result leaves on its node
 * (specification 03 §6.1, 08 §9.4).
 */

type Recorded = OperationRecorded['data'];

/** Whether an unexpected result counts. Probes do not: they look, they do not run anything. Nor does what was never executed to its end. */
function counts(data: Recorded): boolean {
  if (data.status === 'cancelled' || data.status === 'lost') return false;
  return !isProbe(data.operation, data.intervalMs);
}

/** Whether one failure is enough to ban the resource from the node: a failed stop, and a failed start unless the option says otherwise. */
function isFatal(cib: XmlElement, operation: string, now: number): boolean {
  return operation === 'stop' || (operation === 'start' && readingOf(cib, now).options.flag('start-failure-is-fatal'));
}

function increased(count: string | undefined): string {
  if (count?.toUpperCase().replace('+', '') === 'INFINITY') return 'INFINITY';
  const number = Number.parseInt(count ?? '0', 10);
  const next = (Number.isNaN(number) ? 0 : number) + 1;
  return next >= 1_000_000 ? 'INFINITY' : String(next);
}

/** Counts an unexpected result on the node's state. `cib` is asked for cluster options only; `now` (epoch ms) is for rules. */
export function countFailure(cib: XmlElement, nodeState: XmlElement, nodeId: string, data: Recorded, now: number): XmlElement {
  if (!counts(data)) return nodeState;
  const suffix = `${data.resource}#${data.operation}_${String(data.intervalMs)}`;
  const name = `fail-count-${suffix}`;
  const value = isFatal(cib, data.operation, now) ? 'INFINITY' : increased(transientAttribute(nodeState, name));
  const counted = setTransientAttribute(nodeState, nodeId, name, value);
  return setTransientAttribute(counted, nodeId, `last-failure-${suffix}`, String(data.lastRcChange));
}

/** Whether a transient attribute is a fail count or a last failure of that resource, and of that operation when it is named. */
export function isFailureAttribute(name: string, resource: string, filter: OperationFilter): boolean {
  const prefix = [`fail-count-${resource}#`, `last-failure-${resource}#`].find((candidate) => name.startsWith(candidate));
  if (prefix === undefined) return false;
  const [, operation, interval] = /^(.+)_(\d+)$/.exec(name.slice(prefix.length)) ?? [];
  return (
    (filter.operation === undefined || filter.operation === operation) &&
    (filter.intervalMs === undefined || String(filter.intervalMs) === interval)
  );
}

export function clearFailCounts(nodeState: XmlElement, resource: string, filter: OperationFilter): XmlElement {
  return removeTransientAttributes(nodeState, (name) => isFailureAttribute(name, resource, filter));
}
