import { childElements, type XmlElement } from '@systole/cib';
import { markForFencing } from '../../requests/fencing.js';
import type { Cluster } from '../../model/cluster.js';
import type { Ticket } from '../../model/constraints.js';
import type { Resource } from '../../model/resource.js';
import { parseRole, RoleLevel } from '../../model/role.js';
import { ban, block } from '../../model/activity.js';
import {
  constraintResource,
  expandSets,
  membersOf,
  resolvedSets,
  setFromName,
  setMembers,
  unknownName,
  unknownReference,
} from './references.js';

type LossPolicy = 'stop' | 'demote' | 'fence' | 'freeze';

/** `rsc_ticket` (specification 07 §11). */
export function unpackTicket(cluster: Cluster, written: XmlElement): void {
  const { id, ticket: ticketId, rsc, 'rsc-role': rscRole } = written.attributes;
  if (id === undefined || ticketId === undefined) return;
  const ticket = cluster.ticket(ticketId);
  const constraint = expandSets(cluster, written);
  if (childElements(constraint).some(({ name }) => name === 'resource_set')) {
    for (const set of resolvedSets(cluster, constraint).sets) if (!dependSet(cluster, constraint, ticket, set)) return;
    return;
  }
  if (rsc === undefined) return;
  const resource = constraintResource(cluster, rsc);
  if (resource) {
    depend(cluster, constraint, ticket, resource, rscRole);
    return;
  }
  const members = membersOf(cluster, rsc);
  if (members) dependSet(cluster, constraint, ticket, setFromName(id, 'rsc', rsc, members, rscRole === undefined ? {} : { role: rscRole }));
  else cluster.error(`Ignoring ticket constraint ${id}: ${unknownName(cluster, rsc)}`);
}

/** False at an unknown reference, which ends the constraint. */
function dependSet(cluster: Cluster, constraint: XmlElement, ticket: Ticket, set: XmlElement): boolean {
  for (const resource of setMembers(cluster, set)) {
    if (!resource) {
      cluster.error(
        `Ticket constraint ${constraint.attributes['id'] ?? ''}: ignoring the rest of it: ${unknownReference(cluster, set) ?? ''}`,
      );
      return false;
    }
    depend(cluster, constraint, ticket, resource, set.attributes['role']);
  }
  return true;
}

function depend(cluster: Cluster, constraint: XmlElement, ticket: Ticket, resource: Resource, roleText: string | undefined): void {
  const parsed = roleText === undefined ? undefined : parseRole(roleText);
  if (roleText !== undefined && (parsed === undefined || parsed === RoleLevel.Unknown)) {
    cluster.error(`Ignoring ticket constraint ${constraint.attributes['id'] ?? ''}: "${roleText}" is no role`);
    return;
  }
  const role = parsed === RoleLevel.Started ? undefined : parsed;
  resource.tickets.push({ ticket, role });
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
      if (roleMatches) block(resource);
      break;
  }
}
