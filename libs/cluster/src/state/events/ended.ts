import { withNothingArriving } from '../../lease/arriving.js';
import { withoutEarlierBoots } from '../../lease/doubtful-boots.js';
import { withNothingLeft } from '../../lease/left-running.js';
import { type ClusterState, memberOf, type NodeMember } from '../cluster-state.js';
import { nodeIdOf, remoteNodeNamed } from '../configuration.js';
import { withNothingHeld } from '../dampening.js';
import { editNode } from '../members.js';
import { asRemote, eraseLife, setPresence, withFencingRecorded } from '../node-state.js';
import { locksIn, withLocks } from '../shutdown-locks.js';
import { withNothingTried } from './debug-events.js';

/** The node is down, as a device or a person says. Of a node of remote type that is kept with its state: the scheduler would fence it else, as its connection has failed. */
export function down(state: ClusterState, name: string, occurredAt: string): ClusterState {
  const next = ended(state, name, 'down', occurredAt);
  return remoteNodeNamed(next.cib, name) === undefined ? next : editNode(next, name, (node) => withFencingRecorded(asRemote(node)));
}

/** The node's life is over for certain: nothing that is managed runs there. */
export function ended(state: ClusterState, name: string, membership: 'left' | 'down', occurredAt: string): ClusterState {
  const before = memberOf(state, name);
  const member: NodeMember = before ?? {
    id: nodeIdOf(state, name),
    name,
    incarnation: 0,
    membership,
    leaseMs: 0,
    agentVersion: '',
    shutdownRequested: false,
    since: occurredAt,
  };
  const next = editNode(withNothingHeld(state, name), name, (nodeState) => {
    const erased = eraseLife(setPresence(nodeState, 'down'));
    // Nothing waits for a node that was fenced.
    return membership === 'left' ? withLocks(erased, locksIn(nodeState)) : erased;
  });
  const rest = withNothingTried(membership === 'down' ? withoutEarlierBoots(withNothingArriving(withNothingLeft(member))) : member);
  return { ...next, nodes: { ...next.nodes, [name]: { ...rest, membership, since: occurredAt, shutdownRequested: false } } };
}
