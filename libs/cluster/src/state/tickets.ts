import { childrenNamed, firstChildNamed, parseBoolean, type XmlElement } from '@systole/cib';

/** What the status says of a ticket; undefined for one that was never granted, revoked or put in standby. */
export function ticketState(cib: XmlElement, id: string): XmlElement | undefined {
  return ticketStates(cib).find(({ attributes }) => attributes['id'] === id);
}

/** Ids of the tickets that are granted, in standby or not. */
export function grantedTickets(cib: XmlElement): readonly string[] {
  return ticketStates(cib).flatMap(({ attributes: { id, granted } }) => (id !== undefined && parseBoolean(granted) === true ? [id] : []));
}

function ticketStates(cib: XmlElement): readonly XmlElement[] {
  const status = firstChildNamed(cib, 'status');
  const tickets = status && firstChildNamed(status, 'tickets');
  return tickets === undefined ? [] : childrenNamed(tickets, 'ticket_state');
}

/** Whether a constraint depends on a ticket. */
export function isTicketNeeded(configuration: XmlElement, ticket: string): boolean {
  const constraints = firstChildNamed(configuration, 'constraints');
  return constraints !== undefined && childrenNamed(constraints, 'rsc_ticket').some(({ attributes }) => attributes['ticket'] === ticket);
}

/** Tickets whose loss fences the nodes on which something runs that depends on them (`loss-policy`), each once. */
export function fencingTickets(configuration: XmlElement): readonly string[] {
  const constraints = firstChildNamed(configuration, 'constraints');
  const fencing = constraints === undefined ? [] : childrenNamed(constraints, 'rsc_ticket').filter(isFencing);
  return [...new Set(fencing.flatMap(({ attributes: { ticket } }) => ticket ?? []))];
}

function isFencing({ attributes }: XmlElement): boolean {
  return attributes['loss-policy']?.toLowerCase() === 'fence';
}
