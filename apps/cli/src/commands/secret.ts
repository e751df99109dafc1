import { unwrap, type components } from '@systole/api-client';
import type { Command } from 'commander';
import { allPages } from '../connection.js';
import { listing } from '../render/columns.js';
import { moment } from '../render/moment.js';
import { inSession, type Surroundings } from '../session.js';
import { secretsOption } from './secrets-option.js';

type Secret = components['schemas']['SecretDto'];

interface ShowFlags {
  readonly secrets?: 'clear';
}

interface EraseFlags {
  readonly dryRun?: boolean;
  readonly reason?: string;
}

function stateOf({ erased, locked }: Secret): string {
  if (erased !== undefined) return `erased ${moment(erased.at)} by ${erased.by}`;
  return locked === true ? "the server's keys do not open it" : '';
}

function usedLines(usedAt: readonly string[]): readonly string[] {
  return usedAt.length === 0 ? ['Nothing in the configuration refers to it.'] : ['Used at:', ...usedAt.map((path) => `  ${path}`)];
}

export function addSecretCommands(program: Command, surroundings: Surroundings): void {
  const secret = program.command('secret').description('list, show and erase the secrets that the server keeps for a cluster');

  secret
    .command('list')
    .description('list them, without their values')
    .action(
      inSession(surroundings, async (session) => {
        const { client, show, paint } = session;
        const cluster = await session.cluster();
        const items = await allPages(async (page) =>
          unwrap(await client.GET('/v1/clusters/{cluster}/secrets', { params: { path: { cluster }, query: page } })),
        );
        show({ items }, () =>
          listing(
            ['ID', 'OF', 'PARAMETER', 'GIVEN', 'BY', 'STATE'].map((title) => paint('bold', title)),
            items.map((item) => [item.id, item.owner, item.parameter, moment(item.createdAt), item.createdBy, stateOf(item)]),
            'The server keeps no secret for this cluster.',
          ),
        );
      }),
    );

  secret
    .command('show <id>')
    .description('show whose a secret is, and where it is used; with --secrets clear its value')
    .addOption(secretsOption())
    .action(
      inSession<ShowFlags>(surroundings, async (session, { secrets }, [id = '']) => {
        const path = { cluster: await session.cluster(), id };
        const query = secrets === undefined ? {} : { secrets };
        const found = unwrap(await session.client.GET('/v1/clusters/{cluster}/secrets/{id}', { params: { path, query } }));
        session.show(found, () => [
          `${found.parameter} of ${found.owner}, given ${moment(found.createdAt)} by ${found.createdBy}`,
          ...(found.agents.length === 0 ? [] : [`Told to ${found.agents.join(', ')}`]),
          ...[stateOf(found)].filter((text) => text !== ''),
          ...usedLines(found.usedAt),
          ...(found.value === undefined ? [] : [`Value: ${found.value}`]),
        ]);
      }),
    );

  secret
    .command('erase <id>')
    .description('forget the value of a secret for good, for the past, too')
    .option('--dry-run', 'erase nothing; show what it is and where it is used')
    .option('--reason <text>', 'why; kept with the event')
    .action(
      inSession<EraseFlags>(surroundings, async (session, { dryRun, reason }, [id = '']) => {
        const path = { cluster: await session.cluster(), id };
        const query = { ...(dryRun === undefined ? {} : { dryRun }), ...(reason === undefined ? {} : { reason }) };
        const done = unwrap(await session.client.DELETE('/v1/clusters/{cluster}/secrets/{id}', { params: { path, query } }));
        const { owner, parameter } = done.erased;
        session.show(done, () => [
          done.dryRun ? `Dry run: nothing was erased. ${parameter} of ${owner}` : `Erased ${parameter} of ${owner}.`,
          ...usedLines(done.usedAt),
        ]);
      }),
    );
}
