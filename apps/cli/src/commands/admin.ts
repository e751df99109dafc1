import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { EXIT, UsageError } from '../exit-code.js';
import { outputOf, type Surroundings } from '../session.js';
import type { GlobalFlags } from '../settings/settings.js';
import type { Terminal } from '../terminal.js';
import { wholeNumber } from './write-options.js';

interface AdminFlags extends GlobalFlags {
  readonly databaseUrl?: string;
  readonly dataDir?: string;
  readonly keyFile?: string;
}

interface ArchiveFlags extends AdminFlags {
  readonly in?: string;
  readonly upTo?: number;
}

const DATA_DIR = 'that of a server with an embedded PostgreSQL that runs (default: SYSTOLE_DATA_DIR, else ./data)';

/** These work on the database itself; what they need is loaded only then. */
export function addAdminCommands(program: Command, { terminal, end }: Surroundings): void {
  const admin = program.command('admin').description("work on the server's database itself (DATABASE_URL, or the embedded one)");

  admin
    .command('rebuild')
    .description('make everything that is derived from the events again, and say what was not what they say')
    .option('--database-url <url>', 'instead of DATABASE_URL')
    .option('--data-dir <directory>', DATA_DIR)
    .action(async (_: object, command: Command) => {
      const flags = command.optsWithGlobals<AdminFlags>();
      const { rebuild } = await import('../admin/database.js');
      const { clusters, differences } = await rebuild(await databaseUrl(flags, terminal));
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
    .option('--data-dir <directory>', DATA_DIR)
    .action(async (_: object, command: Command) => {
      const flags = command.optsWithGlobals<AdminFlags>();
      const { verify } = await import('../admin/database.js');
      const verdict = await verify(await databaseUrl(flags, terminal), flags.cluster);
      outputOf(terminal, flags).show(verdict, () =>
        verdict.intact
          ? [`Intact: ${verdict.events} events of ${verdict.streams} clusters.`]
          : [
              `NOT INTACT: ${verdict.fault} at version ${verdict.version} of ${verdict.streamId}; ${verdict.events} events before it are in order.`,
            ],
      );
      if (!verdict.intact) end(EXIT.failed);
    });

  admin
    .command('secrets')
    .description('the keys that secrets are kept with')
    .command('rotate')
    .description('wrap all secrets with the first key of the file; the values stay as they are, and servers may run meanwhile')
    .option('--database-url <url>', 'instead of DATABASE_URL')
    .option('--data-dir <directory>', DATA_DIR)
    .option('--key-file <file>', "the server's file of keys (default: SYSTOLE_SECRETS_KEY_FILE, else secrets.key in the data directory)")
    .action(async (_: object, command: Command) => {
      const flags = command.optsWithGlobals<AdminFlags>();
      const { rotateSecrets } = await import('../admin/secrets.js');
      const done = await rotateSecrets(await databaseUrl(flags, terminal), keyFile(flags, terminal));
      outputOf(terminal, flags).show(done, () => rotateLines(done));
      if (done.locked > 0) end(EXIT.failed);
    });

  admin
    .command('archive <directory>')
    .description('write what the archive does not have yet of the log into files, with what proves them; nothing is taken out of the log')
    .option('--in <cluster>', 'of this cluster only: id or name, also of one that was deleted (its id)')
    .option('--up-to <version>', 'with --in: up to this version of it only', wholeNumber)
    .option('--database-url <url>', 'instead of DATABASE_URL')
    .option('--data-dir <directory>', DATA_DIR)
    .action(async (directory: string, _: object, command: Command) => {
      const flags = command.optsWithGlobals<ArchiveFlags>();
      const { in: cluster, upTo } = flags;
      if (upTo !== undefined && cluster === undefined) throw new UsageError('--up-to needs --in: versions are those of one cluster');
      const { archive } = await import('../admin/database.js');
      const what = { ...(cluster === undefined ? {} : { cluster }), ...(upTo === undefined ? {} : { upTo }) };
      const files = await archive(await databaseUrl(flags, terminal), resolve(directory), what);
      outputOf(terminal, flags).show({ files }, () =>
        files.length === 0
          ? ['The archive has everything already.']
          : files.map(
              ({ streamId, clusterName, firstVersion, lastVersion, file, signed }) =>
                `${clusterName ?? streamId}: versions ${firstVersion} to ${lastVersion} in ${file}${signed === undefined ? ', not signed' : ''}`,
            ),
      );
    });
}

/** Keys of the server's file that nobody needs any more may go when everything is wrapped with the first. */
function rotateLines({ rewrapped, locked }: { readonly rewrapped: number; readonly locked: number }): readonly string[] {
  return [
    `Wrapped ${String(rewrapped)} ${rewrapped === 1 ? 'secret' : 'secrets'} anew.`,
    locked === 0
      ? 'All secrets are kept with the first key of the file: the others can go, when every server has this file.'
      : `NOT ALL: ${String(locked)} are kept with keys that are not in the file. Add those, and do this again.`,
  ];
}

/** What is named on the command line comes first, then what the environment names, then what is there. */
async function databaseUrl({ databaseUrl, dataDir }: AdminFlags, { environment }: Terminal): Promise<string> {
  if (databaseUrl !== undefined && dataDir !== undefined) throw new UsageError('give --database-url or --data-dir, not both');
  const url = databaseUrl ?? (dataDir === undefined ? environment['DATABASE_URL'] : undefined);
  if (url !== undefined && url !== '') return url;
  const directory = resolve(dataDir ?? (environment['SYSTOLE_DATA_DIR'] || 'data'));
  const { embeddedDatabaseUrl } = await import('../admin/embedded-database.js');
  const embedded = await embeddedDatabaseUrl(directory);
  if (embedded !== undefined) return embedded;
  throw new UsageError(
    `no database is set, and ${directory} is no data directory of a server with an embedded PostgreSQL: give the server's DATABASE_URL, --database-url or --data-dir`,
  );
}

/** As the server finds it. */
function keyFile({ keyFile: given, dataDir }: AdminFlags, { environment }: Terminal): string {
  const named = given ?? environment['SYSTOLE_SECRETS_KEY_FILE'];
  if (named !== undefined && named !== '') return resolve(named);
  return join(resolve(dataDir ?? (environment['SYSTOLE_DATA_DIR'] || 'data')), 'secrets.key');
}
