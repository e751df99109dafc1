import type { ClusterEvent } from '../events/cluster-event.js';
import { memberOf, pendingFencing, type ClusterState, type NodeMember } from './cluster-state.js';
import { hasFenced } from './relevance.js';

/**
 * The life of a node that others end with an event: the node was fenced, or somebody confirms that it is down. Whoever grants leases ends that life's lease with it: it would be
 * renewed else, as long as whoever renews it has not read the event.
 *
 * @param state before the event
 * @returns undefined for what ends no life, also of a node that has joined again since: the fencing, or what is confirmed, is of the life before
 */
export function lifeEndedBy(state: ClusterState, event: ClusterEvent): Pick<NodeMember, 'name' | 'incarnation'> | undefined {
  switch (event.type) {
    case 'FencingCompleted': {
      const { fencingId, target } = event.data;
      const request = pendingFencing(state, fencingId);
      const isUnfencing = (request?.wanted ?? request?.action) === 'on';
      return !isUnfencing && hasFenced(state, event.data) ? memberOf(state, target) : undefined;
    }
    case 'NodeConfirmedDown': {
      const member = memberOf(state, event.data.node);
      return member?.membership === 'joined' ? undefined : member;
    }
    default:
      return undefined;
  }
}
