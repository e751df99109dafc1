import { parseBoolean, unseenIn, type XmlElement } from '@systole/cib';
import { untoldMissingTickets } from '../epoch/missing-tickets.js';
import { configurationOf } from '../state/configuration.js';
import type { ClusterState } from '../state/cluster-state.js';
import { isTicketNeeded, ticketState } from '../state/tickets.js';
import type { ChangeTicket, ForgetTicket } from './cluster-command.js';
import type { Decision } from './decision.js';
import { accept, reject } from './rejection.js';

/** Any ticket can be granted, as with `crm_ticket`: constraints may come to depend on it later. */
export function changeTicket({ ticket, granted, standby, attributes = {}, reason }: ChangeTicket, state: ClusterState): Decision {
  if (ticket === '' || ticket.length > 255)
    return reject(state, 'invalid-argument', 'a ticket has a name of 1 to 255 characters', { pointer: '/ticket' });
  const wrong = Object.keys(attributes).find((name) => OWN.has(name) || !ATTRIBUTE.test(name));
  if (wrong !== undefined) {
    const message = `an attribute of a ticket has a name as in XML, and none of ${[...OWN].join(', ')}, not ${wrong.slice(0, 40)}`;
    return reject(state, 'invalid-argument', message, { pointer: '/attributes' });
  }
  const known = ticketState(state.cib, ticket);
  const unseen = unseenIn(ticket);
  if (known === undefined && unseen !== undefined && !isTicketNeeded(configurationOf(state.cib), ticket)) {
    const message = `the ticket "${unseen.shown}" holds ${unseen.character}, which can't be seen, and nothing depends on it: write it without`;
    return reject(state, 'invalid-argument', message, { pointer: '/ticket' });
  }
  const is = (name: 'granted' | 'standby'): boolean => parseBoolean(known?.attributes[name]) === true;
  // Nobody knows since the log went back: who says what it is says something new.
  const isOfBefore = state.epoch?.ticketsOfBefore?.includes(ticket) === true || untoldMissingTickets(state).includes(ticket);
  const changes = {
    ...(granted === undefined || (granted === is('granted') && !isOfBefore) ? {} : { granted }),
    ...(standby === undefined || standby === is('standby') ? {} : { standby }),
    ...attributesChanged(attributes, known),
  };
  if (Object.keys(changes).length === 0) return accept();
  return accept({ type: 'TicketChanged', data: { ticket, ...changes, ...(reason === undefined ? {} : { reason }) } });
}

/** What the cluster itself writes of a ticket. */
const OWN: ReadonlySet<string> = new Set(['id', 'granted', 'last-granted', 'standby']);
const ATTRIBUTE = /^[A-Za-z_][\w.-]{0,254}$/;

function attributesChanged(
  wished: Readonly<Record<string, string | null>>,
  known: XmlElement | undefined,
): { readonly attributes?: Readonly<Record<string, string>>; readonly cleared?: readonly string[] } {
  const has = (name: string): string | undefined => known?.attributes[name];
  const set = Object.entries(wished).flatMap(([name, value]) => (value === null || has(name) === value ? [] : [[name, value] as const]));
  const cleared = Object.entries(wished).flatMap(([name, value]) => (value === null && has(name) !== undefined ? [name] : []));
  return { ...(set.length === 0 ? {} : { attributes: Object.fromEntries(set) }), ...(cleared.length === 0 ? {} : { cleared }) };
}

/** What depends on a granted ticket would stop at once, without anybody having revoked it. */
export function forgetTicket({ ticket, reason }: ForgetTicket, state: ClusterState): Decision {
  const known = ticketState(state.cib, ticket);
  if (known === undefined) return accept();
  if (parseBoolean(known.attributes['granted']) === true) {
    return reject(state, 'ticket-granted', `the ticket ${ticket} is granted: revoke it first`, { pointer: '/ticket' });
  }
  return accept({ type: 'TicketChanged', data: { ticket, forgotten: true, ...(reason === undefined ? {} : { reason }) } });
}
