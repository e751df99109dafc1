import { primitiveIdOf } from '@systole/cib';
import { activationHold, debuggingOn, heldBack, memberOf, promotionHold, type ClusterState, type HeldBack } from '@systole/cluster';
import type { ResourceSummaryDto } from '../scheduling/schedule.dto.js';
import type { SafetyNoteDto } from './status.dto.js';

/** As the DTO has it. */
export interface ShownResource extends Omit<ResourceSummaryDto, 'children'> {
  readonly children: readonly ShownResource[];
}

/** What is planned and waits, for nobody knows whether it runs elsewhere. */
export interface HeldStarts {
  /** With `held` at each that waits. */
  readonly resources: readonly ShownResource[];
  /** Why, and what to do, for people; undefined when nothing waits. */
  readonly reason: string | undefined;
}

/**
 * Starts and promotions that are not handed out (`activationHold`, `promotionHold`, `heldBack`): of the resources themselves, and of what stands behind one in its group.
 *
 * @param now epoch ms, for rules
 */
export function withHeldStarts(resources: readonly ShownResource[], state: ClusterState, now: number): HeldStarts {
  const hold = activationHold(state, now);
  const backs = heldBack(state, now);
  const unpromoted = promotionHold(state);
  if (hold === undefined && backs.length === 0 && unpromoted === undefined) return { resources, reason: undefined };
  const waitingFor = new Set<string>();
  const waitingToBePromoted = new Set<string>();

  const heldAt = (resource: ShownResource): readonly string[] => {
    if (!isActivated(resource)) return [];
    if (hold !== undefined) return [...hold.nodes, ...hold.tickets.map((ticket) => `another site that has the ticket ${ticket}`)];
    const historyIds = [resource.id, primitiveIdOf(resource.id)];
    const holds = ({ starts, promotions }: HeldBack): boolean =>
      historyIds.some((id) => starts.includes(id) || (promotions.includes(id) && resource.nextRole === 'Promoted'));
    return backs.filter(holds).map(({ node }) => node);
  };
  const withHeld = (resource: ShownResource): ShownResource => {
    const children = resource.kind === 'group' ? inOrder(resource.children.map(withHeld)) : resource.children.map(withHeld);
    const nodes = resource.kind === 'primitive' ? heldAt(resource) : [];
    for (const node of nodes) waitingFor.add(node);
    if (nodes.length === 0 && unpromoted !== undefined && isPromoted(resource)) {
      waitingToBePromoted.add(resource.id);
      return { ...resource, children, held: 'nobody has said since the event log went back where the newest data is' };
    }
    return nodes.length === 0 ? { ...resource, children } : { ...resource, children, held: `it may still run on ${nodes.join(', ')}` };
  };

  const shown = resources.map(withHeld);
  const left = leftNotes(state, now, waitingFor).map(({ text }) => text.replace(/\.$/, ''));
  const reasons = [
    ...(hold === undefined ? left : [hold.reason]),
    ...(waitingToBePromoted.size > 0 && unpromoted !== undefined ? [unpromoted] : []),
  ];
  return { resources: shown, reason: reasons.length === 0 ? undefined : reasons.join('; ') };
}

/** Whether it is to be promoted where it is not. */
function isPromoted({ kind, role, nextRole }: ShownResource): boolean {
  return kind === 'primitive' && nextRole === 'Promoted' && role !== 'Promoted';
}

/** Members of a group are started one after the other. */
function inOrder(members: readonly ShownResource[]): readonly ShownResource[] {
  const first = members.find(({ held }) => held !== undefined);
  if (first === undefined) return members;
  const from = members.indexOf(first);
  return members.map((member, index) =>
    index > from && member.held === undefined && isActivated(member) ? { ...member, held: `${first.id} waits` } : member,
  );
}

/** Whether it is to be active where it is not, or promoted. A fence device is no service: nothing waits for it. */
function isActivated({ kind, agent, role, nextRole, activeOn, assignedTo }: ShownResource): boolean {
  if (kind !== 'primitive' || agent?.class === 'stonith' || nextRole === 'Stopped' || nextRole === 'Unknown') return false;
  return assignedTo !== undefined && (!activeOn.includes(assignedTo) || (nextRole === 'Promoted' && role !== 'Promoted'));
}

/**
 * What waits elsewhere because it runs on where nobody watches it.
 *
 * @param of names of nodes; all when left out
 */
export function leftNotes(state: ClusterState, now: number, of?: ReadonlySet<string>): readonly SafetyNoteDto[] {
  const notes = heldBack(state, now).filter(({ node }) => of?.has(node) ?? true);
  return notes.map(({ node, cutOff, starts, promotions }) => {
    const tried = debuggingOn(state, node).filter(({ resource }) => starts.includes(resource) || promotions.includes(resource));
    if (tried.length > 0) {
      const which = tried.map(({ operation, resource }) => `${operation} of ${resource}`).join(', ');
      return { code: 'left-running', text: `${[...starts, ...promotions].join(', ')} waits: somebody has ${which} tried on ${node}.` };
    }
    const waits = [
      ...(starts.length === 0 ? [] : [`${starts.join(', ')} is not started elsewhere`]),
      ...(promotions.length === 0 ? [] : [`${promotions.join(', ')} is not promoted elsewhere`]),
    ];
    if (cutOff) return { code: 'cut-off', text: `${waits.join(', ')}, for it may run on ${node}: ${cutOffText(state, node)}.` };
    const { bootId, leftRunning: resources = [] } = memberOf(state, node) ?? {};
    const named = resources.flatMap(({ boot }) => (boot === undefined || boot === bootId ? [] : [`boot ${boot}`]));
    const earlier = resources.some(({ several }) => several === true) ? ['boots before those', ...named].toReversed() : named;
    const over =
      earlier.length === 0
        ? 'start the agent there, or stop it and confirm that the node is down'
        : `another boot has joined since, which does not know whether it is over. Was the machine restarted, or is it off? Then confirm that ${earlier.join(' and ')} of the node is down (confirm-down)`;
    return {
      code: 'left-running',
      text: `${waits.join(', ')}, for it ran on ${node}, unmanaged or just migrated there, when that left or was lost: ${over}.`,
    };
  });
}

/** Why it is not known what runs on a remote or guest node, and what to do. */
function cutOffText(state: ClusterState, node: string): string {
  const member = memberOf(state, node);
  if (member?.membership === 'joined')
    return `its agent is in a session, but the connection to it is not up, so nobody looks. See why that is not begun (systole explain ${node}), or switch the machine off and, when it is lost, run systole node confirm-down ${node}`;
  return `it was lost since ${member?.since ?? ''} before anybody had looked there. Start its agent, or switch it off by hand, then run systole node confirm-down ${node}`;
}
