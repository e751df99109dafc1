import { readingOf } from '@systole/cib';
import type { GraphAction } from '@systole/scheduler';
import { unprovenNodes } from '../lease/doubtful-boots.js';
import { isConnectionAction } from '../remote/connection.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { isStoppedEverywhere } from '../remote/guests.js';
import { configurationOf, configuredNodes, remoteNodeNamed, remoteNodes } from '../state/configuration.js';
import { isTicketNeeded } from '../state/tickets.js';
import { isHeldContainer } from './held-containers.js';

/** Why nothing may be started, promoted or migrated at present. */
export interface ActivationHold {
  /** For people: what is waited for, and what they can do. */
  readonly reason: string;
  /** Names of the nodes that are waited for. */
  readonly nodes: readonly string[];
  /** Tickets of which somebody has to say whether they are granted still. */
  readonly tickets: readonly string[];
}

/** What makes a resource active somewhere, or more than it was. */
const ACTIVATING: ReadonlySet<string> = new Set(['start', 'promote', 'migrate_to', 'migrate_from']);

/**
 * Whether resources may be active where nothing tells of it and nothing ends it: until such a node joined, was fenced or was confirmed down, starting anything
 * may start it a second time. Everything else goes on.
 *
 * - After the log went back in time: each node that was not heard of since.
 * - After the log went back in time: each ticket that was granted then, until it is granted again or revoked: it may have been revoked in the lost tail, and granted to another site, which runs what depends on it.
 * - Without fencing: a lost node whose agent was told to keep its resources running, as there was fencing then.
 * - A node of which another boot was let in while nobody could fence the earlier one (`withDoubtsJudged`).
 *
 * @param now epoch ms, for rules
 */
export function activationHold(state: ClusterState, now: number): ActivationHold | undefined {
  const unheard = unheardNodes(state);
  const keeping = readingOf(state.cib, now).options.flag('fencing-enabled') ? [] : keepingNodes(state);
  const unproven = unprovenNodes(state);
  const tickets = untoldTickets(state);
  if (unheard.length + keeping.length + unproven.length + tickets.length === 0) return undefined;
  const reasons = [
    ...afterLoss(unheard.filter((node) => !isHeldContainer(state, node))),
    ...unheard.filter((node) => isHeldContainer(state, node)).map(containerText),
    ...tickets.map(ticketText),
    ...(keeping.length === 0
      ? []
      : [
          `${keeping.join(', ')} was told to keep its resources running, and there is no fencing: start its agent, switch fencing on, or confirm that the node is down`,
        ]),
    ...unproven.map((node) => afterDoubt(node, memberOf(state, node)?.membership === 'left')),
  ];
  return { reason: reasons.join('; '), nodes: [...unheard, ...keeping, ...unproven], tickets };
}

function keepingNodes({ nodes }: ClusterState): readonly string[] {
  return Object.values(nodes).flatMap(({ name, membership, onLeaseLoss }) =>
    membership === 'lost' && onLeaseLoss === 'keep' ? [name] : [],
  );
}

/** The scheduler fences no node that left in order. */
function afterDoubt(node: string, hasLeft: boolean): string {
  const fenced = hasLeft
    ? 'as it has left since, it is not fenced before its agent is started again'
    : 'it is fenced as soon as that can be done';
  return `${node} was let in as another boot when there was no quorum to fence the earlier one, which may run on: ${fenced}. If that boot is off for certain, confirm that it is down (systole node confirm-down ${node})`;
}

function afterLoss(nodes: readonly string[]): readonly string[] {
  if (nodes.length === 0) return [];
  const down = nodes.map((node) => `systole node confirm-down ${node}`).join(', ');
  return [
    `the event log went back in time, and ${nodes.join(', ')} may run resources that it does not know of: start the agent there, or confirm that the node is down (${down})`,
  ];
}

/** Its agent is refused, and to confirm that it is down while it runs would start what is in it a second time. */
function containerText(node: string): string {
  return `the event log went back in time, and ${node} may run resources that it does not know of: most likely the token of the agent in its container was made in what the log lost, so that the agent is refused while the container runs on. Stop the container by hand where it runs: it is started with a new token once it is found stopped everywhere. Do not confirm that ${node} is down while the container runs`;
}

/** Tickets that were granted when the log went back in time, on which something depends, and of which nobody has said since whether they are. */
export function untoldTickets({ cib, epoch }: ClusterState): readonly string[] {
  const { ticketsOfBefore = [] } = epoch ?? {};
  return ticketsOfBefore.filter((ticket) => isTicketNeeded(configurationOf(cib), ticket));
}

function ticketText(ticket: string): string {
  return `the ticket ${ticket} was granted when the event log went back in time, and may have been revoked and granted to another site since: if it is granted here, grant it again (systole ticket grant ${ticket}), else revoke it`;
}

/** Nodes of which nothing was heard since the present epoch of the log began, whether they are configured still or not; none in its first one. */
export function unheardNodes(state: ClusterState): readonly string[] {
  if (state.epoch === undefined) return [];
  const configured = [...configuredNodes(state.cib), ...remoteNodes(state.cib)].flatMap(({ name }) =>
    memberOf(state, name) === undefined ? [name] : [],
  );
  const known = Object.values(state.nodes).flatMap(({ name, membership }) => (membership === 'unheard' ? [name] : []));
  return [...known, ...configured].filter((name) => mayBeUp(state, name));
}

/** A guest is not up once what it runs in was found stopped wherever it may have run. */
function mayBeUp(state: ClusterState, name: string): boolean {
  const launcher = remoteNodeNamed(state.cib, name)?.launcher;
  return launcher === undefined || !isStoppedEverywhere(state, launcher);
}

/**
 * Whether an action of a graph waits for the end of an activation hold. A fence device is no service: nothing is hurt when it is monitored from two nodes. Nor is a connection, by which a remote node is looked at like any
 * other.
 */
export function isActivation(action: GraphAction): boolean {
  const { kind, operation, primitive } = action;
  return kind === 'rsc_op' && ACTIVATING.has(operation) && primitive?.class !== 'stonith' && !isConnectionAction(action);
}
