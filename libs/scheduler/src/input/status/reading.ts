import type { Cluster } from '../../model/cluster.js';
import type { ClusterNode } from '../../model/node.js';
import type { Resource } from '../../model/resource.js';
import type { Handling } from '../../operations/definitions.js';
import { entryKey, type HistoryEntry } from '../../model/history-entry.js';

/** What is gathered while the history of one resource on one node is read (specification 03 §7.4). */
export interface Reading {
  readonly cluster: Cluster;
  readonly resource: Resource;
  readonly node: ClusterNode;
  lastFailure: HistoryEntry | undefined;
  handling: Handling;
}

/** An entry as it is judged: result and status after the remapping. */
export interface Judged {
  readonly entry: HistoryEntry;
  readonly operation: string;
  /** As recorded. */
  readonly rawRc: number;
  readonly expired: boolean;
  /** A probe that says "not installed" or "invalid": the resource is just not there. */
  readonly masked: boolean;
  status: number;
  rc: number;
}

/** A monitor that isn't repeated. */
export const isProbe = (entry: HistoryEntry): boolean => entry.operation === 'monitor' && entry.interval <= 0;

/** Puts a failure on the list of failed operations (specification 03 §7.10). */
export function recordFailed(reading: Reading, entry: HistoryEntry): void {
  const { cluster, resource, node } = reading;
  if (!node.online) return;
  // Entries without a key count as one.
  const name = `${node.name.toLowerCase()} ${entry.element.attributes['operation_key'] ?? ''}`;
  if (cluster.failedKeys.has(name)) return;
  cluster.failedKeys.add(name);
  cluster.failedOperations.push({ element: entry.element, key: entryKey(entry), node, resource });
}
