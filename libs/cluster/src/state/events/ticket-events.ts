import { element, firstChildNamed, type XmlElement } from '@systole/cib';
import type { TicketChanged } from '../../events/cluster-event.js';
import type { BegunEpoch } from '../cluster-state.js';
import { childById, putById, putOnly, withAttributes } from '../tree.js';
import type { Folds } from './folds.js';

/** That tickets are granted, revoked and put on standby. */
export const ticketEvents: Folds<'TicketChanged'> = {
  TicketChanged: (state, data, { occurredAt }) => ({
    ...state,
    ...(state.epoch === undefined ? {} : { epoch: withTicketTold(state.epoch, data) }),
    cib: ticketChanged(state.cib, data, occurredAt),
  }),
};

/** Whether it is granted is known again. */
function withTicketTold(epoch: BegunEpoch, { ticket, granted, forgotten }: TicketChanged['data']): BegunEpoch {
  if (granted === undefined && forgotten !== true) return epoch;
  const { ticketsOfBefore = [], ticketsMissing = [], ...rest } = epoch;
  const others = ticketsOfBefore.filter((id) => id !== ticket);
  const missing = ticketsMissing.filter((id) => id !== ticket);
  return {
    ...rest,
    ...(others.length === 0 ? {} : { ticketsOfBefore: others }),
    ...(missing.length === 0 ? {} : { ticketsMissing: missing }),
  };
}

function ticketChanged(cib: XmlElement, data: TicketChanged['data'], occurredAt: string): XmlElement {
  const status = firstChildNamed(cib, 'status') ?? element('status');
  const tickets = firstChildNamed(status, 'tickets') ?? element('tickets');
  if (data.forgotten === true) {
    const children = tickets.children.filter((child) => child.kind !== 'element' || child.attributes['id'] !== data.ticket);
    return putOnly(cib, putOnly(status, { ...tickets, children }));
  }
  const ticket = childById(tickets, 'ticket_state', data.ticket) ?? element('ticket_state', { id: data.ticket });
  const edited = withAttributes(ticket, {
    ...data.attributes,
    ...(data.granted === undefined ? {} : { granted: String(data.granted) }),
    ...(data.granted === true && data.attributes?.['last-granted'] === undefined
      ? { 'last-granted': String(Math.floor(Date.parse(occurredAt) / 1000)) }
      : {}),
    ...(data.standby === undefined ? {} : { standby: String(data.standby) }),
  });
  return putOnly(cib, putOnly(status, putById(tickets, without(edited, data.cleared ?? []))));
}

function without(ticket: XmlElement, names: readonly string[]): XmlElement {
  if (names.length === 0) return ticket;
  return { ...ticket, attributes: Object.fromEntries(Object.entries(ticket.attributes).filter(([name]) => !names.includes(name))) };
}
