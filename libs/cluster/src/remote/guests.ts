import type { ClusterEvent } from '../events/cluster-event.js';
import { arrivingOn } from '../lease/arriving.js';
import { resourcesOf } from '../lease/left-running.js';
import { openMigrations, unansweredMigrations } from '../lease/unanswered-migrations.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { historyOf, mayBeActive, recordOperation, sentAway, wasStoppedSince } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { mayRun } from '../state/stopping.js';
import { configuredNodes, remoteNodeNamed, remoteNodes } from '../state/configuration.js';
import { connectionHosts } from './connection.js';
import { isClusterMember } from './remote-nodes.js';

/**
 * The guests that may run something and can't any more: what they run in was stopped, or ended with its host. That is their fencing (specification 07 §9.6).
 *
 * @param state before what ended it
 * @param without the node on which it ended
 */
export function guestsEnded(state: ClusterState, launchers: readonly string[], without?: string): readonly NodeMember[] {
  return remoteNodes(state.cib).flatMap(({ name, launcher }) => {
    const member = memberOf(state, name);
    if (launcher === undefined || member === undefined || member.kind !== 'guest' || !mayRun(member)) return [];
    if (!launchers.includes(launcher)) return [];
    const runsOn =
      mayRunSomewhere(state, launcher, without) ||
      mayHaveArrived(state, launcher, without) ||
      isYetToBeProbed(state, member, launcher, without);
    return runsOn ? [] : [member];
  });
}

/**
 * Whether a node is a guest of another one and can be nowhere else: what it runs in may be active on that one, and on no other. What takes its host takes it, too, so that its silence tells nothing of its own.
 *
 * A remote node is none, whoever holds its connection: it is a machine of its own.
 */
export function isGuestOf(state: ClusterState, name: string, host: string): boolean {
  const launcher = memberOf(state, name)?.kind === 'guest' ? remoteNodeNamed(state.cib, name)?.launcher : undefined;
  const member = memberOf(state, host);
  if (launcher === undefined || member === undefined || !mayRunThere(state, member, launcher)) return false;
  return !mayRunSomewhere(state, launcher, host) && !mayHaveArrived(state, launcher, host);
}

/** What may be active on a node that a guest could run in. */
export function launchersOn(state: ClusterState, node: string): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  const left = member === undefined ? [] : resourcesOf(member.leftRunning ?? []);
  return remoteNodes(state.cib).flatMap(({ launcher }) =>
    launcher !== undefined && (left.includes(launcher) || mayBeActive(historyOf(nodeState, launcher), launcher)) ? [launcher] : [],
  );
}

function mayRunSomewhere(state: ClusterState, launcher: string, without: string | undefined): boolean {
  return Object.values(state.nodes).some(
    (member) => isClusterMember(member) && member.name !== without && mayRunThere(state, member, launcher),
  );
}

function mayRunThere(state: ClusterState, member: NodeMember, launcher: string): boolean {
  const isLeft = resourcesOf(member.leftRunning ?? []).includes(launcher);
  return isLeft || mayBeActive(historyOf(nodeStateOf(state.cib, member), launcher), launcher);
}

/** Whether a guest is reached through a node of which it is not known yet whether the launcher is active there: its agent was started anew, and what that runs goes on. */
function isYetToBeProbed(state: ClusterState, guest: NodeMember, launcher: string, without: string | undefined): boolean {
  return connectionHosts(state, guest.name).some((host) => {
    const member = host === without ? undefined : memberOf(state, host);
    return member !== undefined && historyOf(nodeStateOf(state.cib, member), launcher) === undefined;
  });
}

/** Whether a launcher that is gone from a node may be where it was migrated to, of which nothing was heard yet: nobody stops its guests there by stopping it here. */
function mayHaveArrived(state: ClusterState, launcher: string, without: string | undefined): boolean {
  const mayHave = (name: string): boolean => {
    const member = name === without ? undefined : memberOf(state, name);
    return member !== undefined && mayRun(member);
  };
  return Object.values(state.nodes).some((source) => {
    if (mayHave(source.name) && arrivingOn(state, source.name).includes(launcher)) return true;
    // What was lost for good makes nobody wait for ever: what may have come from there late is looked for when it is over.
    const sentNow = source.name === without ? unansweredMigrations(state, source.name) : openMigrations(state, source.name);
    if (sentNow.some(({ resource, target }) => resource === launcher && mayHave(target))) return true;
    const sent = isClusterMember(source) ? sentAway(historyOf(nodeStateOf(state.cib, source), launcher), launcher) : undefined;
    const target = sent === undefined || sent.target === without ? undefined : memberOf(state, sent.target);
    if (sent === undefined || target === undefined || !mayRun(target)) return false;
    return !wasStoppedSince(historyOf(nodeStateOf(state.cib, target), launcher), launcher, sent.at);
  });
}

/** Whether it is known of each cluster node that may run something that a launcher is not active there. */
export function isStoppedEverywhere(state: ClusterState, launcher: string): boolean {
  const names = new Set([...configuredNodes(state.cib).map(({ name }) => name), ...Object.keys(state.nodes)]);
  return [...names].every((name) => {
    const member = memberOf(state, name);
    if (member === undefined) return false;
    if (!isClusterMember(member) || !mayRun(member)) return true;
    const history = historyOf(nodeStateOf(state.cib, member), launcher);
    return history !== undefined && !mayBeActive(history, launcher);
  });
}

/** The launcher that an event says to have stopped. Not what is older than what is known of it there. */
export function launcherStoppedBy(state: ClusterState, event: ClusterEvent): string | undefined {
  if (event.type !== 'OperationRecorded') return undefined;
  const { operation, status, rc, resource } = event.data;
  if (operation !== 'stop' || status !== 'done' || rc !== 0) return undefined;
  if (!remoteNodes(state.cib).some(({ launcher }) => launcher === resource)) return undefined;
  const member = memberOf(state, event.data.node);
  // Guests run on cluster nodes alone: what another says of them is no word of the node that they run on.
  if (member === undefined || !isClusterMember(member)) return undefined;
  const nodeState = nodeStateOf(state.cib, member);
  const isOutrun = nodeState !== undefined && mayBeActive(historyOf(recordOperation(nodeState, event.data, true), resource), resource);
  return isOutrun ? undefined : resource;
}
