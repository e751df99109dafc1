import type { XmlElement } from '@systole/cib';
import { markForFencing } from '../../requests/fencing.js';
import type { Cluster } from '../../model/cluster.js';
import type { Ticket } from '../../model/constraints.js';
import type { Resource } from '../../model/resource.js';
import { defining } from '../../model/resource/defining.js';
import { parseRole, RoleLevel } from '../../model/role.js';
import { ban } from '../../model/activity.js';
import { forEachNamed } from './references.js';

type LossPolicy = 'stop' | 'demote' | 'fence' | 'freeze';

/** `rsc_ticket` (specification 07 §11). */
export function unpackTicket(cluster: Cluster, constraint: XmlElement): void {
  const { id, ticket: ticketId, 'rsc-role': role } = constraint.attributes;
  if (id === undefined || ticketId === undefined) return;
  const ticket = cluster.ticket(ticketId);
  forEachNamed(cluster, constraint, 'Ticket', 'rsc-role', (resource, set) => {
    depend(cluster, constraint, ticket, resource, set === undefined ? role : set.attributes['role']);
  });
}

function depend(cluster: Cluster, constraint: XmlElement, ticket: Ticket, resource: Resource, roleText: string | undefined): void {
  const parsed = roleText === undefined ? undefined : parseRole(roleText);
  if (roleText !== undefined && (parsed === undefined || parsed === RoleLevel.Unknown)) {
    cluster.error(`Ignoring ticket constraint ${constraint.attributes['id'] ?? ''}: "${roleText}" is no role`);
    return;
  }
  const role = parsed === RoleLevel.Started ? undefined : parsed;
  defining(resource).tickets.push({ ticket, role });
  if (!ticket.granted || ticket.standby) apply(cluster, ticket, resource, role, lossPolicy(cluster, constraint, role));
}

function lossPolicy(cluster: Cluster, constraint: XmlElement, role: RoleLevel | undefined): LossPolicy {
  const text = constraint.attributes['loss-policy']?.toLowerCase();
  if (text === 'fence') return cluster.options.fencingEnabled ? 'fence' : 'stop';
  if (text === 'freeze' || text === 'demote' || text === 'stop') return text;
  return role === RoleLevel.Promoted ? 'demote' : 'stop';
}

/** What a missing ticket does to a resource, or to every primitive below it. */
function apply(cluster: Cluster, ticket: Ticket, resource: Resource, role: RoleLevel | undefined, policy: LossPolicy): void {
  if (resource.children.length > 0) {
    for (const child of resource.children) apply(cluster, ticket, child, role, policy);
    return;
  }
  const mayBan = role !== RoleLevel.Promoted || policy === 'stop';
  if (ticket.granted || resource.activeOn.length === 0) {
    if (mayBan) ban(cluster, resource, undefined, { kind: 'ticket', ticket: ticket.id });
    return;
  }
  const roleMatches = role === undefined || role === resource.currentRole;
  switch (policy) {
    case 'stop':
      ban(cluster, resource, undefined, { kind: 'ticket', ticket: ticket.id });
      break;
    case 'demote':
      if (mayBan) ban(cluster, resource, undefined, { kind: 'ticket', ticket: ticket.id });
      break;
    case 'fence':
      if (!roleMatches) break;
      ban(cluster, resource, undefined, { kind: 'ticket', ticket: ticket.id });
      for (const node of resource.activeOn) markForFencing(cluster, node, 'deadman ticket was lost');
      break;
    case 'freeze':
      if (roleMatches) defining(resource).blockedByTicket = true;
      break;
  }
}
