import type { Command } from 'commander';
import { EXIT, UsageError } from '../exit-code.js';
import { outputOf, type Surroundings } from '../session.js';
import type { GlobalFlags } from '../settings/settings.js';
import type { Terminal } from '../terminal.js';

interface AdminFlags extends GlobalFlags {
  readonly databaseUrl?: string;
}

/** These work on the database itself; what they need is loaded only then. */
export function addAdminCommands(program: Command, { terminal, end }: Surroundings): void {
  const admin = program.command('admin').description("work on the server's database itself (DATABASE_URL)");

  admin
    .command('rebuild')
    .description('make everything that is derived from the events again, and say what was not what they say')
    .option('--database-url <url>', 'instead of DATABASE_URL')
    .action(async (_: object, command: Command) => {
      const flags = command.optsWithGlobals<AdminFlags>();
      const { rebuild } = await import('../admin/database.js');
      const { clusters, differences } = await rebuild(databaseUrl(flags, terminal));
      outputOf(terminal, flags).show({ clusters, differences }, () => [
        `Rebuilt what is derived from the events of ${clusters} clusters.`,
        ...(differences.length === 0
          ? ['Nothing was different.']
          : differences.map(({ clusterId, what }) => `DIFFERENT before: ${what} of ${clusterId}`)),
      ]);
    });

  admin
    .command('verify')
    .description('recompute the hash chain of all events, or of one cluster: was anything changed or removed?')
    .option('--database-url <url>', 'instead of DATABASE_URL')
    .action(async (_: object, command: Command) => {
      const flags = command.optsWithGlobals<AdminFlags>();
      const { verify } = await import('../admin/database.js');
      const verdict = await verify(databaseUrl(flags, terminal), flags.cluster);
      outputOf(terminal, flags).show(verdict, () =>
        verdict.intact
          ? [`Intact: ${verdict.events} events of ${verdict.streams} clusters.`]
          : [
              `NOT INTACT: ${verdict.fault} at version ${verdict.version} of ${verdict.streamId}; ${verdict.events} events before it are in order.`,
            ],
      );
      if (!verdict.intact) end(EXIT.failed);
    });
}

function databaseUrl({ databaseUrl }: AdminFlags, { environment }: Terminal): string {
  const url = databaseUrl ?? environment['DATABASE_URL'];
  if (url === undefined || url === '') throw new UsageError("no database is set: give the server's DATABASE_URL, or --database-url");
  return url;
}
