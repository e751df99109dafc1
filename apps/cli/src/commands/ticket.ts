import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { valuesOf } from '../configuration/named-pairs.js';
import { listing } from '../render/columns.js';
import { moment } from '../render/moment.js';
import { inSession, type Surroundings } from '../session.js';
import { addReasonedWriteOptions, because, showWriteResult, writeParams, type ReasonFlags } from './write-options.js';

const CHANGES = [
  { name: 'grant', description: 'grant a ticket: what depends on it may run in this cluster; whether another has it nobody checks' },
  { name: 'revoke', description: 'revoke a ticket: what depends on it stops, as its constraint says' },
  { name: 'standby', description: 'put a ticket in standby: what depends on it stops in good order' },
  { name: 'unstandby', description: 'take a ticket out of standby' },
  { name: 'cleanup', description: 'forget what is known of a ticket that is not granted' },
] as const;

export function addTicketCommands(program: Command, surroundings: Surroundings): void {
  const ticket = program.command('ticket').description('tickets: whether what depends on them may run in this cluster');

  ticket
    .command('list')
    .description('list the tickets, also those that only constraints name')
    .action(
      inSession(surroundings, async (session) => {
        const params = { path: { cluster: await session.cluster() } };
        const found = unwrap(await session.client.GET('/v1/clusters/{cluster}/tickets', { params }));
        session.show(found, () =>
          listing(
            ['TICKET', 'STATE', 'LAST GRANTED', 'CONSTRAINTS'].map((title) => session.paint('bold', title)),
            found.items.map(({ id, granted, standby, lastGranted, constraints }) => [
              ...[id, `${granted ? 'granted' : 'revoked'}${standby ? ', standby' : ''}`],
              ...[lastGranted === undefined ? '' : moment(lastGranted), constraints.join(', ')],
            ]),
            'There is no ticket.',
          ),
        );
      }),
    );

  addReasonedWriteOptions(ticket.command('set <ticket> <attributes...>'))
    .description(
      'set attributes of a ticket, name=value each; name= takes one away. Whether it is granted and in standby have commands of their own',
    )
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [name = '', ...words]) => {
        const params = { path: { cluster: await session.cluster() }, ...writeParams(flags) };
        const attributes = Object.fromEntries(valuesOf(words.flat()));
        const body = { tool: 'systole', request: { ask: 'change-ticket' as const, ticket: name, attributes }, ...because(flags) };
        showWriteResult(session, unwrap(await session.client.POST('/v1/clusters/{cluster}/commands/tool-request', { params, body })));
      }),
    );

  for (const { name: change, description } of CHANGES) {
    addReasonedWriteOptions(ticket.command(`${change} <ticket>`))
      .description(description)
      .action(
        inSession<ReasonFlags>(surroundings, async (session, flags, [name = '']) => {
          const params = { path: { cluster: await session.cluster(), ticket: name }, ...writeParams(flags) };
          const body = because(flags);
          showWriteResult(
            session,
            unwrap(await session.client.POST(`/v1/clusters/{cluster}/tickets/{ticket}/commands/${change}`, { params, body })),
          );
        }),
      );
  }
}
