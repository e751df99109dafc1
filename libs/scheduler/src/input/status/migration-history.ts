import type { Cluster } from '../../model/cluster.js';
import { sameText } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import { observing } from '../../model/resource/observing.js';
import { RoleLevel } from '../../model/role.js';
import { addActive } from './activity.js';
import { compareEntries, type HistoryEntry } from '../../model/history-entry.js';
import { recordedEntries } from '../../model/recorded-histories.js';
import type { Reading } from './reading.js';

/** All entries of a resource on a node, names compared exactly. */
function entriesOn(cluster: Cluster, resource: Resource, node: string): HistoryEntry[] {
  return cluster.history.ofResource(node, resource.id).flatMap(recordedEntries);
}

/** The one match, or none when there are more (specification 03 §10.1). */
function only<T>(matches: readonly T[]): T | undefined {
  return matches.length === 1 ? matches[0] : undefined;
}

function find(cluster: Cluster, resource: Resource, operation: string, node: string, peer: string | undefined): HistoryEntry | undefined {
  return only(
    entriesOn(cluster, resource, node).filter(({ operation: name, element: { attributes } }) => {
      if (name !== operation) return false;
      if (operation === 'migrate_to') return attributes['migrate_target'] === peer;
      return operation !== 'migrate_from' || attributes['migrate_source'] === peer;
    }),
  );
}

function findOk(
  cluster: Cluster,
  resource: Resource,
  operation: string,
  node: string,
  peer: string | undefined,
  rc: number,
): HistoryEntry | undefined {
  const found = find(cluster, resource, operation, node, peer);
  return found && found.rc === rc && found.status === 0 ? found : undefined;
}

/** Nothing is known of the resource there. */
function isUnknown(cluster: Cluster, resource: Resource, node: string): boolean {
  return entriesOn(cluster, resource, node).every(
    ({ element }) => element.attributes['rc-code'] === undefined || element.attributes['rc-code'] === '193',
  );
}

/** A start, stop or migration after that entry. */
function operationAfter(cluster: Cluster, resource: Resource, node: string, entry: HistoryEntry): boolean {
  const history = only(cluster.history.ofResource(node, resource.id));
  return (
    history !== undefined &&
    recordedEntries(history).some(
      (other) =>
        other.element !== entry.element &&
        /^(start|stop|migrate_to|migrate_from)$/.test(other.operation ?? '') &&
        compareEntries(other, entry) > 0,
    )
  );
}

function stoppedAfter(cluster: Cluster, resource: Resource, node: string, entry: HistoryEntry): boolean {
  const monitor = findOk(cluster, resource, 'monitor', node, undefined, 7);
  return monitor !== undefined && compareEntries(monitor, entry) > 0;
}

/** The node's history went on after the migration. */
function newerState(
  cluster: Cluster,
  resource: Resource,
  node: string,
  to: HistoryEntry | undefined,
  from: HistoryEntry | undefined,
): boolean {
  let entry = from ?? to;
  if (!entry) return false;
  if (entry !== to && to && sameText(node, entry.element.attributes['migrate_source'])) entry = to;
  return operationAfter(cluster, resource, node, entry) || stoppedAfter(cluster, resource, node, entry);
}

interface Ends {
  readonly source: string;
  readonly target: string;
}

/** Source and target of a migration entry; undefined when they don't fit the node whose history it is. */
function ends(reading: Reading, entry: HistoryEntry, own: 'source' | 'target'): Ends | undefined {
  const { migrate_source: source, migrate_target: target } = entry.element.attributes;
  if (source === undefined || target === undefined) return undefined;
  return sameText(own === 'source' ? source : target, reading.node.name) ? { source, target } : undefined;
}

function failUnmigratable(resource: Resource): void {
  observing(resource).failedInHistory = true;
  observing(resource).failureStops = true;
  observing(resource).migrationBroken = true;
}

/** `migrate_to` succeeded (specification 03 §10.2). */
export function migrateToSucceeded(reading: Reading, to: HistoryEntry): void {
  const { cluster, resource, node } = reading;
  const names = ends(reading, to, 'source');
  if (!names) return;
  const { source, target } = names;
  const from = find(cluster, resource, 'migrate_from', target, source);
  const sourceNewer = operationAfter(cluster, resource, source, to);
  const targetNewer = newerState(cluster, resource, target, to, from);
  const targetNode = cluster.nodeByName(target);
  const targetUp = targetNode?.online === true;
  if (from) {
    const rc = from.rc ?? 0;
    const status = from.status ?? -1;
    if (status !== -1 && rc === 0 && status === 0) {
      if (!sourceNewer) {
        observing(resource).observedRole = RoleLevel.Stopped;
        observing(resource).danglingSources.unshift(node);
      }
      return;
    }
    if (status !== -1) {
      if (sourceNewer) return;
      observing(resource).observedRole = RoleLevel.Started;
      if (!targetNewer && targetUp) addActive(cluster, resource, targetNode, true);
      else failUnmigratable(resource);
      return;
    }
    if (sourceNewer) return;
  }
  if (!from && sourceNewer && targetNewer) return;
  observing(resource).observedRole = RoleLevel.Started;
  if (targetUp && isUnknown(cluster, resource, target)) return;
  if (targetUp && !targetNewer) {
    addActive(cluster, resource, targetNode, false);
    const sourceNode = cluster.nodeByName(source);
    if (sourceNode?.online) {
      observing(resource).observedTarget = targetNode;
      observing(resource).observedSource = sourceNode;
    }
  } else if (!sourceNewer) {
    failUnmigratable(resource);
  }
}

/** `migrate_to` failed (specification 03 §10.3). */
export function migrateToFailed(reading: Reading, to: HistoryEntry): void {
  const { cluster, resource, node } = reading;
  const names = ends(reading, to, 'source');
  if (!names) return;
  const { source, target } = names;
  observing(resource).observedRole = RoleLevel.Started;
  const from = findOk(cluster, resource, 'migrate_from', target, source, 0);
  if (!isUnknown(cluster, resource, target) && !newerState(cluster, resource, target, to, from)) {
    const targetNode = cluster.nodeByName(target);
    if (targetNode?.online) addActive(cluster, resource, targetNode, false);
  } else if (!operationAfter(cluster, resource, source, to)) {
    observing(resource).danglingSources.unshift(node);
  }
}

/** `migrate_from` failed (specification 03 §10.4). */
export function migrateFromFailed(reading: Reading, from: HistoryEntry): void {
  const { cluster, resource } = reading;
  const names = ends(reading, from, 'target');
  if (!names) return;
  const { source, target } = names;
  observing(resource).observedRole = RoleLevel.Started;
  const to = findOk(cluster, resource, 'migrate_to', source, target, 0);
  if (!isUnknown(cluster, resource, source) && !newerState(cluster, resource, source, to, from)) {
    const sourceNode = cluster.nodeByName(source);
    if (sourceNode?.online) addActive(cluster, resource, sourceNode, true);
  }
}
