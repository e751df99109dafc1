import { childrenNamed, firstChildNamed, parseBoolean, parseInteger, type XmlElement } from '@systole/cib';
import { SCHEDULER_VERSION } from '@systole/scheduler';
import type { FencingRecord, LastChange, MonitorFacts, TicketRecord } from './monitor-facts.js';

/** What stands where Pacemaker names the node that coordinates the others. */
const OURSELVES = 'systole';

/** What a CIB tells beside the configuration and what became of it: the newest change, tickets. Of fencing it tells nothing: the asker does. @param request the command line that the answer repeats */
export function factsIn(cib: XmlElement, request: string, fencing: readonly FencingRecord[]): MonitorFacts {
  return {
    request,
    coordinator: { name: OURSELVES, version: SCHEDULER_VERSION },
    lastChange: lastChangeIn(cib),
    fencing,
    tickets: ticketsIn(cib),
  };
}

function lastChangeIn({ attributes }: XmlElement): LastChange | undefined {
  const { 'cib-last-written': written, 'update-user': user = '', 'update-client': client = '', 'update-origin': origin = '' } = attributes;
  // `Tue Nov 14 22:13:20 2023`, in UTC.
  const at = written === undefined ? Number.NaN : Date.parse(`${written} UTC`);
  return Number.isNaN(at) ? undefined : { at: Math.floor(at / 1_000), user, client, origin };
}

function ticketsIn(cib: XmlElement): readonly TicketRecord[] {
  const status = firstChildNamed(cib, 'status');
  const tickets = status && firstChildNamed(status, 'tickets');
  return (tickets ? childrenNamed(tickets, 'ticket_state') : []).map(({ attributes }) => {
    const lastGrantedAt = parseInteger(attributes['last-granted']) ?? 0;
    return {
      id: attributes['id'] ?? '',
      granted: parseBoolean(attributes['granted']) === true,
      standby: parseBoolean(attributes['standby']) === true,
      ...(lastGrantedAt > 0 ? { lastGrantedAt } : {}),
    };
  });
}
