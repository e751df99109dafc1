import type { components } from '@systole/api-client';
import { columns } from './columns.js';
import { moment } from './moment.js';
import type { Paint } from './paint.js';

type Ticket = components['schemas']['TicketDto'];

/** Each ticket as a line: whether this cluster has it, and since when. */
export function ticketLines(tickets: readonly Ticket[], paint: Paint): readonly string[] {
  const rows = tickets.map(({ id, granted, standby, lastGranted }) => [
    id,
    standby ? paint('yellow', `${granted ? 'granted' : 'not granted'}, in standby`) : granted ? paint('green', 'granted') : 'not granted',
    lastGranted === undefined ? 'never granted' : `last granted ${moment(lastGranted)}`,
  ]);
  return columns(rows, 2);
}
