import { attributesOfAgents } from '../../epoch/attributes-of-before.js';
import { missingTickets } from '../../epoch/missing-tickets.js';
import { tellingsOf } from '../../epoch/tellings.js';
import type { EpochBegan, RecordedClusterEvent } from '../../events/cluster-event.js';
import { arrivingOn } from '../../lease/arriving.js';
import { doubtOf } from '../../lease/doubtful-boots.js';
import { mayRunUnmanaged, withLeftRunning } from '../../lease/left-running.js';
import type { ClusterState, NodeMember } from '../cluster-state.js';
import { grantedTickets } from '../tickets.js';
import { editNodeState, eraseLife, setPresence } from '../node-state.js';
import { without } from '../without.js';
import type { Folds } from './folds.js';

/** That the log lost its end. */
export const epochEvents: Folds<'EpochBegan'> = { EpochBegan: epochBegan };

/** Whatever the log says of a node may be of yesterday: but for which machines it is, and what keeps others from being hurt, nothing of it is believed before the node was heard of again. */
function epochBegan(state: ClusterState, data: EpochBegan['data'], { occurredAt, version }: RecordedClusterEvent): ClusterState {
  const over = [data.previous, ...(data.witness === undefined ? [] : [data.witness.epoch])];
  const earlier = new Set([...(state.epoch?.earlier ?? []), ...over]);
  let cib = state.cib;
  const nodes: Record<string, NodeMember> = {};
  for (const member of Object.values(state.nodes)) {
    const wasOver = member.membership === 'left' || member.membership === 'down' || member.overBefore === true;
    cib = editNodeState(cib, member, (nodeState) => eraseLife(setPresence(nodeState, wasOver ? 'down' : 'unseen')));
    const { id, name, kind, incarnation, leaseMs, agentVersion, bootId, machineId, bootVersion, attempt } = member;
    const { secondBoots, earlierBoots, leftRunning, hasWatchdog, arriving, arrivingFrom } = member;
    const machine = {
      ...(bootId === undefined ? {} : { bootId }),
      ...(machineId === undefined ? {} : { machineId }),
      ...(bootVersion === undefined ? {} : { bootVersion }),
      ...(secondBoots === undefined ? {} : { secondBoots }),
      ...(earlierBoots === undefined ? {} : { earlierBoots }),
      ...(leftRunning === undefined ? {} : { leftRunning }),
      // What was brought there its agent still knows nothing of.
      ...(arriving === undefined ? {} : { arriving }),
      ...(arrivingFrom === undefined ? {} : { arrivingFrom }),
      ...(attempt === undefined ? {} : { attempt }),
      ...(hasWatchdog === undefined ? {} : { hasWatchdog }),
    };
    const past = { id, name, ...(kind === undefined ? {} : { kind }), incarnation, leaseMs, agentVersion, ...machine, ...doubtOf(member) };
    const unheard: NodeMember = {
      ...past,
      membership: 'unheard',
      since: occurredAt,
      shutdownRequested: false,
      ...(wasOver ? { overBefore: true } : {}),
    };
    // What it left running it may have stopped since; what it may run on with now nobody knows: both stay held until it is known.
    nodes[name] = withLeftRunning(
      unheard,
      member.membership === 'joined' ? [...mayRunUnmanaged(state, name), ...arrivingOn(state, name)] : [],
    );
  }
  const told = { times: (tellingsOf(state, data.by)?.times ?? 0) + 1, at: occurredAt };
  const tellings = { ...state.epoch?.tellings, ...(data.witness === undefined || data.proven === true ? {} : { [data.by]: told }) };
  // Another site may have been granted them in the lost tail. The mere word of a node, which may come again and again, makes nobody wait for a person.
  const isCertain = data.proven === true || data.witness === undefined;
  const ticketsOfBefore = isCertain ? grantedTickets(state.cib) : (state.epoch?.ticketsOfBefore ?? []);
  // What is not granted when there is nothing lost is no news.
  const ticketsMissing = isCertain ? missingTickets(state.cib) : (state.epoch?.ticketsMissing ?? []);
  // What was promoted in the lost tail they don't tell.
  const attributesOfBefore = isCertain ? attributesOfAgents(state) : (state.epoch?.attributesOfBefore ?? []);
  const byWord = isCertain ? [] : [...new Set([...(state.epoch?.byWord ?? []), ...over])];
  const epoch = {
    ...{ id: data.epoch, version, since: occurredAt, reason: data.reason, earlier: [...earlier], tellings },
    ...(ticketsOfBefore.length === 0 ? {} : { ticketsOfBefore }),
    ...(ticketsMissing.length === 0 ? {} : { ticketsMissing }),
    ...(attributesOfBefore.length === 0 ? {} : { attributesOfBefore }),
    ...(byWord.length === 0 ? {} : { byWord }),
  };
  const stopping = state.stopping === undefined ? {} : { stopping: { ...state.stopping, ofBefore: true as const } };
  // What an allowance was for may have been done in the lost tail. So may an attempt at fencing have ended there, and its target have been started again since: what is told of it late counts for nothing.
  const nothingAllowed = { fencing: {}, fencingAllowed: [] };
  return without({ ...state, cib, nodes, epoch, ...nothingAllowed, ...stopping }, 'firstJoinAt', 'firstJoinVersion', 'dampened');
}
