import { childrenNamed, firstChildNamed, parseBoolean, type XmlElement } from '@systole/cib';
import type { TicketChanged } from '../events/cluster-event.js';

/** What the status of a document says of a ticket. */
export type ImportedTicket = Pick<TicketChanged['data'], 'ticket' | 'granted' | 'standby' | 'attributes'>;

/** Most that are taken over from a document, and most attributes of one. */
const MOST_TICKETS = 1_000;
const MOST_ATTRIBUTES = 100;
const LONGEST = 255;

/**
 * The tickets in the status section of a document (specification 03 §4.1). They are no state of a node: who granted one meant the site, whoever manages it, and without them what depends on a ticket would stand still
 * after an import. All else of a status is what nodes report.
 *
 * @param document as it was given
 */
export function ticketsOf(document: XmlElement): readonly ImportedTicket[] {
  const status = firstChildNamed(document, 'status');
  const tickets = status === undefined ? undefined : firstChildNamed(status, 'tickets');
  if (tickets === undefined) return [];
  const known = new Map<string, ImportedTicket>();
  for (const { attributes } of childrenNamed(tickets, 'ticket_state')) {
    const { id = '', granted, standby, ...others } = attributes;
    if (id === '' || id.length > LONGEST || known.size >= MOST_TICKETS || known.has(id)) continue;
    const further = Object.entries(others)
      .filter(([name, value]) => name.length <= LONGEST && value.length <= LONGEST)
      .slice(0, MOST_ATTRIBUTES);
    known.set(id, {
      ticket: id,
      granted: parseBoolean(granted) === true,
      standby: parseBoolean(standby) === true,
      ...(further.length === 0 ? {} : { attributes: Object.fromEntries(further) }),
    });
  }
  return [...known.values()];
}

/** As events that follow the making of the cluster, so that the log says aloud what was taken over. */
export function ticketsTaken(tickets: readonly ImportedTicket[]): readonly TicketChanged[] {
  const reason = 'as the status of the document says that the cluster was made from';
  return tickets.map((ticket) => ({ type: 'TicketChanged', data: { ...ticket, reason } }));
}
