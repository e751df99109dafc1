import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import { addScores } from '../model/score.js';
import { baseName, sameText } from '../model/names.js';
import type { DeepReadonly } from '../model/deep-readonly.js';
import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { fenceAction, secondsOf } from './fencing.js';
import { requestAction } from './action-requests.js';
import { Kind, relate } from '../model/relation.js';
import type { HistoryEntry } from '../model/history-entry.js';
import { sortedEntries } from '../model/recorded-histories.js';

/** What a query about failures answers. */
export interface FailCount {
  readonly count: number;
  /** Epoch seconds; 0 unless there is both a count and a time. */
  readonly lastFailure: number;
}

const none: FailCount = { count: 0, lastFailure: 0 };

/** The name under which a resource's failures are recorded (specification 03 §6.2). */
function recordedName({ unique, knownAs }: Pick<Resource, 'unique' | 'knownAs'>): string {
  return unique ? knownAs : baseName(knownAs);
}

/** Whether anything may be recorded of failures of that very resource there; if not, its fail count is 0, and asking for it changes nothing. */
export function hasRecordedFailures(resource: Resource, node: ClusterNode): boolean {
  const known = node.failures;
  return known.size > 0 && known.has(baseName(recordedName(resource)));
}

/**
 * Raw count and last failure (specification 03 §6.2).
 *
 * @param warned is told of a count that is no number
 */
export function rawFailCount(
  cluster: DeepReadonly<Cluster>,
  resource: DeepReadonly<Resource>,
  node: DeepReadonly<ClusterNode>,
  warned?: Pick<Cluster, 'warn'>,
): FailCount {
  const known = node.failures;
  if (known.size === 0) return none;
  const name = recordedName(resource);
  let count = 0;
  let lastFailure = 0;
  for (const recorded of known.get(baseName(name)) ?? []) {
    const matches = recorded.resource === name || (!resource.unique && baseName(recorded.resource) === name);
    if (!matches) continue;
    if (recorded.kind === 'fail-count') {
      const value = cluster.score(recorded.value);
      if (value === undefined) warned?.warn(`Ignoring fail count "${recorded.value}" of ${name} on ${node.name}: it is no number`);
      else count = addScores(count, value);
    } else {
      const time = cluster.cib.integer(recorded.value);
      if (time !== undefined) lastFailure = Math.max(lastFailure, time);
    }
  }
  return { count, lastFailure };
}

/** Options of a query (specification 03 §6.3). */
export interface FailCountQuery {
  /** Expired failures don't count. */
  readonly effective: boolean;
  /** Failures of launched resources count too. */
  readonly withLaunched?: boolean;
  readonly entry?: HistoryEntry;
}

/** The fail count of a primitive on a node. A query can switch off the resource's failure timeout for good. */
export function failCount(cluster: Cluster, resource: Resource, node: ClusterNode, query: FailCountQuery): FailCount {
  let count = 0;
  let lastFailure = 0;
  // What is launched may launch in turn; a configuration can even make that a circle.
  const asked = new Set<Resource>();
  const pending = [resource];
  for (let at = pending.pop(); at; at = pending.pop()) {
    if (asked.has(at)) continue;
    asked.add(at);
    const own = ownFailCount(cluster, at, node, query);
    count += own.count;
    lastFailure = Math.max(lastFailure, own.lastFailure);
    if (query.withLaunched && !at.isBundled) for (const launched of at.launched) pending.push(launched);
  }
  return { count, lastFailure: count > 0 && lastFailure > 0 ? lastFailure : 0 };
}

function ownFailCount(cluster: Cluster, resource: Resource, node: ClusterNode, query: FailCountQuery): FailCount {
  const { count, lastFailure } = rawFailCount(cluster, resource, node, cluster);
  if (count > 0 && resource.failureTimeout > 0 && failureBlocks(cluster, resource, node, query.entry))
    planning(resource).failuresStay = true;
  const timeout = resource.failureTimeout;
  const expired = query.effective && count > 0 && lastFailure > 0 && timeout > 0 && cluster.now > lastFailure + secondsOf(timeout);
  return { count: expired ? 0 : count, lastFailure };
}

/** Whether an operation with `on-fail="block"`, written so literally, has failed (specification 03 §6.3). */
function failureBlocks(cluster: Cluster, resource: Resource, node: ClusterNode, entry: HistoryEntry | undefined): boolean {
  const base = baseName(resource.id);
  if (base !== resource.xmlId) return false;
  const blocking = resource.operations.filter((op) => op.attributes['on-fail'] === 'block');
  if (blocking.length === 0) return false;
  const candidates = entry ? [entry] : cluster.history.ofResource(node.name, base).flatMap(sortedEntries);
  return blocking.some((op) => {
    const name = op.attributes['name'];
    const interval = cluster.cib.interval(op.attributes['interval']);
    return candidates.some((candidate) => {
      if (!sameText(candidate.operation, name) || candidate.interval !== interval) return false;
      if (candidate.id === `${base}_last_failure_0`) return true;
      return candidate.id === `${base}_${name ?? ''}_${interval}` && candidate.rc !== candidate.expected;
    });
  });
}

/** Requests the clearing of a fail count, once per resource and node (specification 03 §6.4). */
export function clearFailCount(cluster: Cluster, resource: Resource, node: ClusterNode, reason: string): Action {
  const action = requestAction(cluster, resource, `${resource.id}_clear_failcount_0`, 'clear_failcount', node, false);
  action.meta.set('op_no_wait', 'true');
  cluster.messages.push({ level: 'info', text: `Clearing the failures of ${resource.id} on ${node.name}: ${reason}` });
  return action;
}

/** The same for a history entry: with a reconnect interval, fencing the remote node comes first. */
export function clearFailCountOfEntry(cluster: Cluster, resource: Resource, node: ClusterNode, reason: string): void {
  const action = clearFailCount(cluster, resource, node, reason);
  if (!cluster.options.fencingEnabled || !resource.reconnectInterval) return;
  const remote = cluster.nodeByName(resource.id);
  if (remote) relate(fenceAction(cluster, remote, undefined, true, undefined, false), action, Kind.pullThen);
}
