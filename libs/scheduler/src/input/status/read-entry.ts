import { requestTask } from '../../requests/action-requests.js';
import { secondsOf } from '../../requests/fencing.js';
import { actionMeta, findOp, Handling, onFailHandling, roleAfterFailure } from '../../operations/definitions.js';
import type { Resource } from '../../model/resource.js';
import { observing } from '../../model/resource/observing.js';
import { RoleLevel } from '../../model/role.js';
import type { ScoreCause } from '../../model/score-trail.js';
import { ban, banTarget } from '../../model/activity.js';
import { banEverywhere } from './activity.js';
import { addressIsDeferred, compareDigests } from '../../operations/digests.js';
import { clearFailCountOfEntry, failCount } from '../../requests/fail-counts.js';
import { DONE, entryKey, type HistoryEntry, NOT_INSTALLED, PENDING } from '../../model/history-entry.js';
import { migrateFromFailed, migrateToFailed, migrateToSucceeded } from './migration-history.js';
import { isProbe, type Judged, type Reading, recordFailed } from './reading.js';
import { remap } from './remap.js';

const interesting = new Set(['monitor', 'start', 'stop', 'promote', 'demote', 'migrate_to', 'migrate_from', 'asyncmon']);

/** Reads one entry (specification 03 §7.4). */
export function readHistoryEntry(reading: Reading, entry: HistoryEntry): void {
  const { resource, node } = reading;
  const { operation, status, rc } = entry;
  if (entry.id === undefined || operation === undefined || !interesting.has(operation)) return;
  if (status === undefined || status < PENDING || status > 11 || status === 1) return;
  if (rc === undefined || rc < 0 || rc > 255) return;
  const masked = isProbe(entry) && !resource.isBundled && (rc === 5 || rc === 2 || status === NOT_INSTALLED);
  const judged: Judged = { entry, operation, rawRc: rc, expired: isExpired(reading, entry), masked, status, rc };
  remap(reading, judged);
  if (judged.expired && dropExpired(reading, judged)) return;
  if (masked) {
    observing(resource).observedRole = RoleLevel.Stopped;
    recordFailed(reading, entry);
    ban(reading.cluster, banTarget(resource), node, historyCause(judged));
    return;
  }
  applyStatus(reading, judged);
}

/** True when nothing more is to be done with an expired entry. */
function dropExpired(reading: Reading, { entry, masked, rawRc, rc }: Judged): boolean {
  const { resource, node } = reading;
  if (masked && rawRc !== entry.expected) {
    if (resource.currentRole <= RoleLevel.Stopped) observing(resource).observedRole = RoleLevel.Unknown;
    return true;
  }
  if (rc === entry.expected) return false;
  if (entry.interval === 0) return true;
  if (!node.clean) return false;
  // Makes the check of definitions schedule the monitor anew.
  reading.cluster.cib.expiredFailures.add(entry.element);
  return true;
}

/** Expiry of a failure; may schedule the clearing of the fail count (specification 03 §7.4). */
function isExpired(reading: Reading, entry: HistoryEntry): boolean {
  const { cluster, resource, node } = reading;
  if (entry.status === NOT_INSTALLED) return false;
  const isLastFailure = entry.id?.endsWith('_last_failure_0') === true;
  let expired = false;
  let effective = 0;
  // The count may reset the resource's own (specification 03 §6.3).
  const timeout = secondsOf(resource.failureTimeout);
  if (resource.failureTimeout > 0 && entry.lastRcChange !== undefined) {
    const remote = cluster.nodeByName(resource.id);
    const waitsForFencing =
      (resource.reconnectInterval ?? 0) > 0 &&
      cluster.options.fencingEnabled &&
      entry.interval !== 0 &&
      entry.operation === 'monitor' &&
      remote !== undefined &&
      !remote.fencingRecorded;
    expired = !waitsForFencing && cluster.now >= entry.lastRcChange + timeout;
    const failures = failCount(cluster, resource, node, { effective: true, entry });
    effective = failures.count;
    const until = failures.lastFailure + timeout + 1;
    if (effective !== 0 && cluster.now < until) cluster.proposeRecheck(until);
  }
  let clear: string | undefined;
  if (expired) {
    const { count } = failCount(cluster, resource, node, { effective: false, entry });
    if (count !== 0) {
      if (effective === 0) clear = 'it expired';
      else expired = false;
    } else if (isLastFailure && (resource.reconnectInterval ?? 0) > 0) {
      clear = 'reconnect interval is set';
    }
  }
  if (!expired && isLastFailure && (entry.operation === 'start' || entry.operation === 'monitor')) {
    if (addressIsDeferred(cluster, resource)) {
      cluster.deferredChecks.push({ kind: 'last-failure', resource, node, entry });
    } else {
      const { verdict } = compareDigests(cluster, resource, entry, node);
      if (verdict === 'mismatch' || verdict === 'restart') clear = 'resource parameters have changed';
    }
  }
  if (clear !== undefined) clearFailCountOfEntry(cluster, resource, node, clear);
  if (expired && isProbe(entry) && [0, 7, 8, 190, 191].includes(entry.rc ?? -1)) return false;
  return expired;
}

/** Effect by status (specification 03 §7.6). */
function applyStatus(reading: Reading, judged: Judged): void {
  const { cluster, resource, node } = reading;
  const { entry, operation, status } = judged;
  if (status === PENDING) {
    applyPending(reading, judged);
    return;
  }
  if (status === DONE) {
    updateState(reading, judged, judged.rc);
    return;
  }
  const op = findOp(cluster, resource, operation, entry.interval, true);
  const meta = actionMeta(cluster, resource, node, operation, entry.interval, op);
  const onFail = onFailHandling(cluster, resource, operation, entry.interval, meta);
  if (status === NOT_INSTALLED) {
    if (onFail === Handling.Ignore) reading.handling = Handling.Ban;
    ban(cluster, banTarget(resource), node, historyCause(judged));
    applyFailure(reading, judged, onFail);
    return;
  }
  if (status === 8 && node.remoteType && node.connection?.managed) {
    observing(node.connection).failedInHistory = true;
    observing(node.connection).failureStops = true;
  }
  if (onFail === Handling.Ignore || (onFail === Handling.RestartContainer && operation === 'stop')) {
    updateState(reading, judged, entry.expected);
    observing(resource).failureIgnored = true;
    recordFailed(reading, entry);
    if (onFail === Handling.RestartContainer && reading.handling <= Handling.Restart) reading.handling = Handling.RestartContainer;
    return;
  }
  applyFailure(reading, judged, onFail);
  if (status === 5) ban(cluster, banTarget(resource), node, historyCause(judged));
  else if (status === 6) ban(cluster, banTarget(resource), undefined, historyCause(judged));
}

function historyCause({ operation, rc, status }: Judged): ScoreCause {
  return { kind: 'history', operation, rc, status };
}

/** Active, in the role that an active resource of this kind has at least. */
function setActive(resource: Resource): void {
  observing(resource).observedRole = resource.top.promotable ? RoleLevel.Unpromoted : RoleLevel.Started;
}

function applyFailure(reading: Reading, judged: Judged, onFail: Handling): void {
  const { entry, operation, rc } = judged;
  const { cluster, resource, node } = reading;
  reading.lastFailure = entry;
  if (cluster.options.symmetric || rc !== 5) recordFailed(reading, entry);
  if (onFail > reading.handling) reading.handling = onFail;
  switch (operation) {
    case 'stop':
      ban(cluster, resource, node, historyCause(judged));
      break;
    case 'migrate_to':
      migrateToFailed(reading, entry);
      break;
    case 'migrate_from':
      migrateFromFailed(reading, entry);
      break;
    case 'promote':
      observing(resource).observedRole = RoleLevel.Promoted;
      break;
    case 'demote':
      if (onFail === Handling.Block) {
        observing(resource).observedRole = RoleLevel.Promoted;
        observing(resource).nextRole = RoleLevel.Stopped;
      } else {
        observing(resource).observedRole = rc === 7 ? RoleLevel.Stopped : RoleLevel.Unpromoted;
      }
      break;
  }
  if (isProbe(entry) && rc === 5) observing(resource).observedRole = RoleLevel.Stopped;
  else if (resource.currentRole < RoleLevel.Started) setActive(resource);
  const roleAfter = roleAfterFailure(resource, operation, onFail);
  if (roleAfter !== RoleLevel.Started && resource.nextRole < roleAfter) observing(resource).nextRole = roleAfter;
  if (roleAfter === RoleLevel.Stopped) banEverywhere(cluster, banTarget(resource), historyCause(judged));
}

/** A result that counts as a success (specification 03 §7.6, "state update"). */
function updateState(reading: Reading, { entry, operation, masked }: Judged, rc: number): void {
  const { resource } = reading;
  let clears = true;
  if (rc === 5 || masked) {
    observing(resource).observedRole = RoleLevel.Stopped;
    clears = false;
  } else if (rc !== 7) {
    switch (operation) {
      case 'monitor':
        if (resource.currentRole < RoleLevel.Started) setActive(resource);
        clears = reading.lastFailure !== undefined && entryKey(reading.lastFailure) === entryKey(entry);
        break;
      case 'start':
      case 'migrate_from':
        observing(resource).observedRole = RoleLevel.Started;
        break;
      case 'stop':
        observing(resource).observedRole = RoleLevel.Stopped;
        break;
      case 'promote':
        observing(resource).observedRole = RoleLevel.Promoted;
        break;
      case 'demote':
        clears = reading.handling === Handling.Demote;
        observing(resource).observedRole = RoleLevel.Unpromoted;
        break;
      case 'migrate_to':
        migrateToSucceeded(reading, entry);
        clears = false;
        break;
      default:
        if (resource.currentRole < RoleLevel.Started) setActive(resource);
        clears = false;
    }
  }
  if (clears) clearHandling(reading);
}

function clearHandling(reading: Reading): void {
  const { resource } = reading;
  switch (reading.handling) {
    case Handling.Stop:
    case Handling.Ban:
    case Handling.Standby:
    case Handling.Fence:
      return;
    case Handling.RemoteRecovery:
      if ((resource.reconnectInterval ?? 0) > 0) return;
      break;
  }
  reading.handling = Handling.Ignore;
  observing(resource).nextRole = RoleLevel.Unknown;
}

/** An operation in flight (specification 03 §7.6, "pending"). */
function applyPending(reading: Reading, { entry, operation }: Judged): void {
  const { cluster, resource, node, lastFailure } = reading;
  if (
    lastFailure &&
    lastFailure.operation === operation &&
    lastFailure.element.attributes['interval'] !== undefined &&
    lastFailure.interval === entry.interval &&
    (lastFailure.lastRcChange ?? 0) >= (entry.lastRcChange ?? 0)
  ) {
    return;
  }
  if (operation === 'start') {
    observing(resource).startPending = true;
    setActive(resource);
  } else if (operation === 'promote') {
    observing(resource).observedRole = RoleLevel.Promoted;
  } else if (operation === 'migrate_to' && node.unclean) {
    const target = entry.element.attributes['migrate_target'];
    const targetNode = target === undefined ? undefined : cluster.nodeByName(target);
    if (targetNode) requestTask(cluster, resource, 'stop', targetNode, false);
  }
  if (resource.pendingAction === undefined && !isProbe(entry)) {
    observing(resource).pendingAction = operation;
    observing(resource).pendingNode = node;
    observing(resource).pendingInterval = entry.interval;
  }
}
