import { childElements, childrenNamed, firstChildNamed, parseBoolean, type XmlElement } from '@systole/cib';
import type { TicketDto } from './ticket.dto.js';

/** Attributes of a ticket that mean something to the cluster; others are kept for whoever set them. */
const OF_THE_CLUSTER: ReadonlySet<string> = new Set(['id', 'granted', 'standby', 'last-granted']);

/** The tickets that were granted, revoked or put in standby once, and those that constraints depend on, by name. */
export function ticketsIn(cib: XmlElement): readonly TicketDto[] {
  const states = new Map(within(cib, 'status', 'tickets').map(({ attributes }) => [attributes['id'] ?? '', attributes]));
  const constraints = within(cib, 'configuration', 'constraints').filter(({ name }) => name === 'rsc_ticket');
  const dependent = new Map<string, string[]>();
  for (const { attributes } of constraints) {
    const { id = '', ticket = '' } = attributes;
    const others = dependent.get(ticket);
    if (others === undefined) dependent.set(ticket, [id]);
    else others.push(id);
  }
  const ids = [...new Set([...states.keys(), ...dependent.keys()])].filter((id) => id !== '').sort();
  return ids.map((id) => {
    const known = states.get(id) ?? {};
    const { granted, standby, 'last-granted': last } = known;
    const others = Object.fromEntries(Object.entries(known).filter(([name]) => !OF_THE_CLUSTER.has(name)));
    return {
      id,
      granted: parseBoolean(granted) === true,
      standby: parseBoolean(standby) === true,
      ...lastGranted(last),
      ...(Object.keys(others).length === 0 ? {} : { attributes: others }),
      constraints: dependent.get(id) ?? [],
    };
  });
}

function within(cib: XmlElement, section: 'status' | 'configuration', name: string): readonly XmlElement[] {
  const [holder] = childrenNamed(cib, section).flatMap((one) => firstChildNamed(one, name) ?? []);
  return holder === undefined ? [] : childElements(holder);
}

/** The last moment that a date can be of, epoch seconds. */
const LAST_SECOND = 8.64e12;

function lastGranted(seconds: string | undefined): Pick<TicketDto, 'lastGranted'> {
  const at = Number(seconds ?? '');
  return at > 0 && at <= LAST_SECOND ? { lastGranted: new Date(at * 1_000).toISOString() } : {};
}
