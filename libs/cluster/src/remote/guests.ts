import type { ClusterEvent } from '../events/cluster-event.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { historyOf, mayBeActive } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { mayRun } from '../state/stopping.js';
import { configuredNodes, remoteNodes } from '../state/configuration.js';
import { isClusterMember } from './remote-nodes.js';

/**
 * The guests that may run something and can't any more: what they run in was stopped, or ended with its host. That is their fencing (specification 07 §9.6).
 *
 * @param state after what ended it was folded in
 * @param without a node whose history is over
 */
export function guestsEnded(state: ClusterState, launchers: readonly string[], without?: string): readonly NodeMember[] {
  return remoteNodes(state.cib).flatMap(({ name, launcher }) => {
    const member = memberOf(state, name);
    if (launcher === undefined || member === undefined || member.kind !== 'guest' || !mayRun(member)) return [];
    return launchers.includes(launcher) && !mayRunSomewhere(state, launcher, without) ? [member] : [];
  });
}

/** What may be active on a node that a guest could run in. */
export function launchersOn(state: ClusterState, node: string): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  return remoteNodes(state.cib).flatMap(({ launcher }) =>
    launcher !== undefined && mayBeActive(historyOf(nodeState, launcher), launcher) ? [launcher] : [],
  );
}

function mayRunSomewhere(state: ClusterState, launcher: string, without: string | undefined): boolean {
  return Object.values(state.nodes).some(
    (member) =>
      isClusterMember(member) && member.name !== without && mayBeActive(historyOf(nodeStateOf(state.cib, member), launcher), launcher),
  );
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

/** The launcher that an event says to have stopped. */
export function launcherStoppedBy(state: ClusterState, event: ClusterEvent): string | undefined {
  if (event.type !== 'OperationRecorded') return undefined;
  const { operation, status, rc, resource } = event.data;
  if (operation !== 'stop' || status !== 'done' || rc !== 0) return undefined;
  return remoteNodes(state.cib).some(({ launcher }) => launcher === resource) ? resource : undefined;
}
