import { isOfBefore } from '../epoch/attributes-of-before.js';
import { epochVersion, versionText, type EpochVersion } from '../epoch/epoch-version.js';
import type { ClusterState } from '../state/cluster-state.js';
import { dampeningOf, heldValue } from '../state/dampening.js';
import { changesAttribute, relevantSince } from '../state/relevance.js';
import type { ClusterCommand } from './cluster-command.js';
import type { DecideOptions, Decision } from './decision.js';
import { createCluster, readConfiguration, replaceConfiguration } from './decide-configuration.js';
import { changeAttribute, writeHeldAttributes } from './decide-attributes.js';
import { askForAgent } from './ask-for-agent.js';
import { changeDocumentBy } from './decide-document.js';
import { setResourceValue, setSectionValue } from './decide-values.js';
import { beginEpoch } from './decide-epoch.js';
import { editElements } from './edit-configuration.js';
import {
  allowFencing,
  clearFencingHistory,
  changeQuorum,
  clusterDeleted,
  confirmNodeDown,
  joinNode,
  leaveNode,
  loseLease,
  noteFalseWitness,
  noteUnconfigured,
  noteManaged,
  noteWatchdog,
  noteTroubles,
  reckonWith,
  requestShutdown,
} from './decide-nodes.js';
import { banResource, clearResource, moveResource } from './decide-placement.js';
import { beginRestart, endRestart } from './decide-restart.js';
import { setResourceMode } from './decide-resource-modes.js';
import { noteHaveWatchdog, setAllStopped, setClusterMaintenance } from './decide-cluster-modes.js';
import { beginRelocation, endRelocation } from './decide-relocation.js';
import { removeNode } from './decide-node-removal.js';
import { setNodeUtilization } from './decide-node-utilization.js';
import { setNodesMaintenance, setNodesStandby } from './decide-nodes-modes.js';
import { renameNode, renameResource } from './decide-rename.js';
import { endDebugOperation, requestDebugOperation } from './decide-debug-operations.js';
import { failResource } from './decide-failing.js';
import { powerOnNode } from './decide-power-on.js';
import { fenceNode, setMaintenance, setStandby } from './decide-node-modes.js';
import { clearFailures, deleteHistoryOf, failedOn, forgetResource, rememberedOn } from './decide-resources.js';
import { completeFencing, recordResults, recordConnections, recordUnanswered } from './decide-results.js';
import { abortTransition, completeTransition, planTransition, requestFencing } from './decide-transitions.js';
import { cancelStop, stopCluster } from './decide-stopping.js';
import { changeTicket, forgetTicket } from './decide-tickets.js';
import { accept, reject } from './rejection.js';
import { eraseSecret } from './erase-secret.js';
import { noteAlertRuns } from './note-alert-runs.js';
import { noteRefusedJoin, noteSecondMachine } from './second-machine.js';

/**
 * Turns a command into the events that it makes on this state, or refuses it. Pure: same command, same state, same answer.
 *
 * No events means: accepted, nothing to do (the state is as wished already). Append the events with the state's version as the expected
 * one; on a conflict fold to the head and decide again. That holds for facts, too (`record-results`, `join-node`, `leave-node`): they
 * are decided again, and never refused for the conflict.
 */
export function decide(command: ClusterCommand, state: ClusterState, options: DecideOptions = {}): Decision {
  const { expected } = options;
  if (state.existence === 'deleted' && isOfAgent(command)) return clusterDeleted(state);
  if (command.type !== 'create-cluster' && state.existence !== 'active') {
    return reject(
      state,
      'cluster-not-found',
      state.existence === 'deleted' ? `the cluster ${state.name} was deleted` : 'there is no such cluster',
    );
  }
  const moved = movedOn(command, state, expected);
  if (moved !== undefined) return reject(state, 'version-mismatch', moved);
  return withoutIdleChanges(dispatch(command, state, options), state);
}

/** Whether a command that is meant for one of some versions of a cluster is meant for what it is now, as `If-Match` asks for it. */
export function isMeantFor(command: ClusterCommand, state: ClusterState, versions: readonly EpochVersion[]): boolean {
  return movedOn(command, state, versions) === undefined;
}

/**
 * Why what was meant for one of some versions of the cluster holds for none of them now; undefined when it does. What changes the configuration is meant
 * for the configuration of that version: reports of agents and decisions change nothing of it; a decision of the worker for what it rests on (`restsOn`). A version of another epoch may be of a tail that
 * the log has lost.
 */
function movedOn(command: ClusterCommand, state: ClusterState, expected: readonly EpochVersion[] | undefined): string | undefined {
  if (expected === undefined) return undefined;
  const { configuredAt } = state;
  const head = epochVersion(state);
  const least = restsOn(command, state);
  const present = expected.filter(({ epoch }) => epoch === head.epoch);
  if (present.some(({ version }) => version >= least && version <= head.version)) return undefined;
  const is = `the cluster is at version ${versionText(head)}`;
  const newest = Math.max(...present.map(({ version }) => version));
  if (present.length === 0 && state.epoch !== undefined) {
    const asked = expected.map(versionText).join(', ');
    return `${is}. The event log went back in time at version ${String(state.epoch.version)}, and ${asked} may be of what it lost: read it again`;
  }
  if (newest > head.version) return `${is}; there is no version ${String(newest)} yet: read it again`;
  if (EDITS.has(command.type) && present.length > 0)
    return `the configuration was changed at version ${String(configuredAt)}, after version ${String(newest)}: read it again`;
  return `${is}, not ${expected.map(versionText).join(', ')}: read it again`;
}

/** What changes the configuration, and is meant for that alone. */
const EDITS: ReadonlySet<ClusterCommand['type']> = new Set<ClusterCommand['type']>([
  'replace-configuration',
  'edit-configuration',
  'set-resource-mode',
  'move-resource',
  'ban-resource',
  'clear-resource',
  'begin-restart',
  'end-restart',
  'begin-relocation',
  'end-relocation',
  'set-all-stopped',
  'set-cluster-maintenance',
  'set-nodes-standby',
  'set-nodes-maintenance',
  'rename-resource',
  'rename-node',
  'set-node-utilization',
  'set-section-value',
  'set-resource-value',
  'change-document',
  'remove-node',
  'note-have-watchdog',
]);

/**
 * The version from which on nothing came that this command, meant for some version, depends on. Else a stream that never stands still would hold up what is decided from it for ever, fencing
 * included.
 */
function restsOn(command: ClusterCommand, state: ClusterState): number {
  if (EDITS.has(command.type)) return state.configuredAt;
  switch (command.type) {
    case 'write-held-attributes':
      return Math.max(...command.names.map((name) => dampeningOf(state, name)?.held?.version ?? 0));
    case 'plan-transition':
    case 'complete-transition':
    case 'complete-fencing':
    case 'record-unanswered':
    case 'record-connections':
    case 'change-quorum':
      return relevantSince(state);
    case 'abort-transition':
      // Whatever its probes find meanwhile, they have had their time.
      return state.transition?.probingSince === undefined ? relevantSince(state) : state.transition.plannedVersion;
    case 'request-fencing':
    case 'clear-failures':
    case 'delete-history':
      // They carry out a transition: what makes it obsolete ends it in the same fold.
      return state.transition?.status === 'running' ? state.transition.plannedVersion : state.version;
    default:
      return state.version;
  }
}

/** Agents are told apart from others what became of their cluster, so that they leave their resources running. */
function isOfAgent(command: ClusterCommand): boolean {
  switch (command.type) {
    case 'join-node':
    case 'leave-node':
    case 'request-shutdown':
    case 'record-results':
    case 'reckon-with':
    case 'note-watchdog':
    case 'note-managed':
    case 'note-troubles':
    case 'ask-for-agent':
      return true;
    case 'set-node-attribute':
    case 'clear-node-attribute':
      return command.agent !== undefined;
    default:
      return false;
  }
}

function dispatch(command: ClusterCommand, state: ClusterState, options: DecideOptions): Decision {
  const { read = readConfiguration, sealing } = options;
  switch (command.type) {
    case 'ask-for-agent':
      return askForAgent(command, state, (asked) => dispatch(asked, state, options));
    case 'create-cluster':
      return createCluster(command, state, read, sealing);
    case 'delete-cluster':
      return accept({ type: 'ClusterDeleted', data: command.reason === undefined ? {} : { reason: command.reason } });
    case 'stop-cluster':
      return stopCluster(command, state);
    case 'cancel-stop':
      return cancelStop(command, state);
    case 'begin-epoch':
      return beginEpoch(command, state);
    case 'replace-configuration':
      return replaceConfiguration(command, state, read, sealing);
    case 'edit-configuration':
      return editElements(command, state, sealing);
    case 'erase-secret':
      return eraseSecret(command);
    case 'set-resource-mode':
      return setResourceMode(command, state);
    case 'move-resource':
      return moveResource(command, state);
    case 'ban-resource':
      return banResource(command, state);
    case 'clear-resource':
      return clearResource(command, state);
    case 'begin-restart':
      return beginRestart(command, state);
    case 'end-restart':
      return endRestart(command, state);
    case 'begin-relocation':
      return beginRelocation(command, state);
    case 'end-relocation':
      return endRelocation(command, state);
    case 'set-all-stopped':
      return setAllStopped(command, state);
    case 'set-cluster-maintenance':
      return setClusterMaintenance(command, state);
    case 'set-nodes-standby':
      return setNodesStandby(command, state);
    case 'set-nodes-maintenance':
      return setNodesMaintenance(command, state);
    case 'rename-resource':
      return renameResource(command, state, sealing);
    case 'rename-node':
      return renameNode(command, state);
    case 'set-node-utilization':
      return setNodeUtilization(command, state);
    case 'set-section-value':
      return setSectionValue(command, state);
    case 'set-resource-value':
      return setResourceValue(command, state, sealing);
    case 'change-document':
      return changeDocumentBy(command, state, sealing);
    case 'remove-node':
      return removeNode(command, state);
    case 'set-standby':
      return setStandby(command, state);
    case 'set-maintenance':
      return setMaintenance(command, state);
    case 'fence-node':
      return fenceNode(command, state);
    case 'set-node-attribute':
    case 'clear-node-attribute':
      return changeAttribute(command, state);
    case 'clean-up-resource':
      return forgetResource(command, state, failedOn);
    case 'refresh-resource':
      return forgetResource(command, state, rememberedOn);
    case 'fail-resource':
      return failResource(command, state);
    case 'request-debug-operation':
      return requestDebugOperation(command, state);
    case 'power-on-node':
      return powerOnNode(command, state);
    case 'end-debug-operation':
      return endDebugOperation(command, state);
    case 'confirm-node-down':
      return confirmNodeDown(command, state);
    case 'allow-fencing':
      return allowFencing(command, state);
    case 'clear-fencing-history':
      return clearFencingHistory(command);
    case 'change-ticket':
      return changeTicket(command, state);
    case 'forget-ticket':
      return forgetTicket(command, state);
    case 'join-node':
      return joinNode(command, state);
    case 'note-refused-join':
      return noteRefusedJoin(command, state);
    case 'note-unconfigured':
      return noteUnconfigured(command, state);
    case 'note-false-witness':
      return noteFalseWitness(command, state);
    case 'note-second-machine':
      return noteSecondMachine(command, state);
    case 'leave-node':
      return leaveNode(command, state);
    case 'request-shutdown':
      return requestShutdown(command, state);
    case 'record-results':
      return recordResults(command, state);
    case 'lose-lease':
      return loseLease(command, state);
    case 'reckon-with':
      return reckonWith(command, state);
    case 'note-watchdog':
      return noteWatchdog(command, state);
    case 'note-managed':
      return noteManaged(command, state);
    case 'note-troubles':
      return noteTroubles(command, state);
    case 'note-alert-runs':
      return noteAlertRuns(command, state);
    case 'note-have-watchdog':
      return noteHaveWatchdog(command, state);
    case 'change-quorum':
      return changeQuorum(command, state);
    case 'write-held-attributes':
      return writeHeldAttributes(command, state);
    case 'record-unanswered':
      return recordUnanswered(command, state);
    case 'record-connections':
      return recordConnections(command, state);
    case 'clear-failures':
      return clearFailures(command, state);
    case 'delete-history':
      return deleteHistoryOf(command, state);
    case 'request-fencing':
      return requestFencing(command, state);
    case 'complete-fencing':
      return completeFencing(command, state);
    case 'plan-transition':
      return planTransition(command, state);
    case 'abort-transition':
      return abortTransition(command, state);
    case 'complete-transition':
      return completeTransition(command, state);
  }
}

/**
 * An attribute set to the value that it has is no event: agents set their promotion scores with each monitor. It is one when a person says why: that may be another
 * reason than the one that is known, and changes nothing else. It is one, too, when nobody has said since the log went back what it is, and when something else is held, which waits for its time no more.
 */
function withoutIdleChanges(decision: Decision, state: ClusterState): Decision {
  if (!decision.ok) return decision;
  const events = decision.events.filter(
    (event) =>
      (event.type !== 'NodeAttributeSet' && event.type !== 'NodeAttributeCleared') ||
      (event.type === 'NodeAttributeSet' && event.data.reason !== undefined) ||
      changesAttribute(state, event) ||
      (event.data.lifetime === 'forever' && isOfBefore(state, event.data)) ||
      (event.data.lifetime === 'reboot' && heldValue(state, event.data.node, event.data.name) !== undefined),
  );
  return events.length === decision.events.length ? decision : { ok: true, events };
}
