import type { ClusterEvent } from '../events/cluster-event.js';
import { mayRunUnmanaged, resourcesOf } from '../lease/left-running.js';
import { guestsEnded, launcherStoppedBy, launchersOn } from '../remote/guests.js';
import { memberOf, pendingFencing, type ClusterState, type NodeMember } from './cluster-state.js';
import { hasFenced, isPresentLife, standingOf } from './present-life.js';

type Life = Pick<NodeMember, 'name' | 'incarnation'>;

/**
 * The lives of nodes that others end with an event: the node was fenced, or somebody confirms that it is down, and with it the guests that ran on it; or what a guest runs in was stopped. Whoever grants leases ends those
 * lives' leases with it: they would be renewed else, as long as whoever renews them has not read the event.
 *
 * @param state before the event
 * @returns none for what ends no life, also of a node that has joined again since: the fencing, or what is confirmed, is of the life before
 */
export function livesEndedBy(state: ClusterState, event: ClusterEvent): readonly Life[] {
  return [...(endedItself(state, event) ?? []), ...guestsEndedBy(state, event)];
}

function endedItself(state: ClusterState, event: ClusterEvent): readonly Life[] | undefined {
  switch (event.type) {
    case 'FencingCompleted': {
      const member = isFencedBy(state, event) ? memberOf(state, event.data.target) : undefined;
      return member && [member];
    }
    case 'NodeConfirmedDown': {
      const member = memberOf(state, event.data.node);
      return member === undefined || member.membership === 'joined' ? undefined : [member];
    }
    default:
      return undefined;
  }
}

/** Whether an outcome of fencing says that its target is off, or was. @param state before it */
export function isFencedBy(state: ClusterState, { data }: Extract<ClusterEvent, { readonly type: 'FencingCompleted' }>): boolean {
  const request = pendingFencing(state, data.fencingId);
  return (request?.wanted ?? request?.action) !== 'on' && hasFenced(state, data);
}

/** The guests whose lives an event ends. @param state before the event */
export function guestsEndedBy(state: ClusterState, event: ClusterEvent): readonly NodeMember[] {
  switch (event.type) {
    case 'OperationRecorded': {
      const launcher = launcherStoppedBy(state, event);
      if (launcher === undefined || standingOf(state, event.data) === 'superseded') return [];
      return guestsEnded(state, [launcher], event.data.node);
    }
    case 'FencingCompleted': {
      const { target } = event.data;
      return isFencedBy(state, event) ? guestsEnded(state, launchersOn(state, target), target) : [];
    }
    case 'NodeConfirmedDown': {
      const { node } = event.data;
      if (memberOf(state, node)?.membership === 'joined') return [];
      return guestsEnded(state, launchersOn(state, node), node);
    }
    case 'NodeLeft': {
      const { node, active } = event.data;
      if (!isPresentLife(state, event.data)) return [];
      // What is not managed runs on when the agent leaves, and the guests in it with it.
      const left = new Set([...(active ?? mayRunUnmanaged(state, node)), ...resourcesOf(memberOf(state, node)?.leftRunning ?? [])]);
      const gone = launchersOn(state, node).filter((launcher) => !left.has(launcher));
      return guestsEnded(state, gone, node);
    }
    default:
      return [];
  }
}

/** Nodes of which nothing goes on that they had begun before: their lives end with an event, or another life begins. @param state before the event */
export function sourcesOver(state: ClusterState, event: ClusterEvent): readonly string[] {
  if (event.type === 'NodeJoined') return [event.data.node];
  const ended = livesEndedBy(state, event).map(({ name }) => name);
  return event.type === 'NodeLeft' && isPresentLife(state, event.data) ? [event.data.node, ...ended] : ended;
}
