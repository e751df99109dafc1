import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { createInterface } from 'node:readline/promises';
import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { connect } from '../connection.js';
import { UsageError } from '../exit-code.js';
import { inSession, outputOf, type Surroundings } from '../session.js';
import { listing } from '../render/columns.js';
import { configFilePath, readLogins, writeLogins } from '../settings/config-file.js';
import { serverUrl, type GlobalFlags } from '../settings/settings.js';
import { readInput, type Terminal } from '../terminal.js';

export function addLoginCommands(program: Command, surroundings: Surroundings): void {
  const { terminal } = surroundings;
  program
    .command('login <url>')
    .description('keep a server and a token for the commands to come; the token is asked for, or read from standard input')
    .action(async (url: string, _: object, command: Command) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const server = serverUrl(url);
      const token = flags.token ?? (await askForToken(terminal));
      if (token === '') throw new UsageError('no token was given');
      const given = flags.ca ?? terminal.environment['SYSTOLE_CA_FILE'];
      const ca = given === undefined || given === '' ? {} : { ca: resolve(given) };
      const client = connect({ server, token, ...ca }, terminal);
      const found = unwrap(await client.GET('/v1/clusters', { params: { query: { limit: 1 } } }));
      if (flags.cluster !== undefined) {
        unwrap(await client.GET('/v1/clusters/{cluster}', { params: { path: { cluster: flags.cluster } } }));
      }
      const path = configFilePath(terminal.environment, terminal.home);
      const others = (await readLogins(path)).filter((login) => login.server !== server);
      await writeLogins(path, [{ server, token, ...ca, ...(flags.cluster === undefined ? {} : { cluster: flags.cluster }) }, ...others]);
      const clusters = found.items.length === 0 ? ' It has no cluster yet: "systole cluster create <name>".' : '';
      outputOf(terminal, flags).show({ server, path }, () => [`Logged in to ${server}; kept in ${path}.${clusters}`]);
    });

  program
    .command('logout [url]')
    .description('forget the token for a server; for the one that commands go to when none is named')
    .option('--all', 'for all servers')
    .action(async (url: string | undefined, { all }: { readonly all?: boolean }, command: Command) => {
      const path = configFilePath(terminal.environment, terminal.home);
      const logins = await readLogins(path);
      const server = url === undefined ? logins[0]?.server : serverUrl(url);
      const left = all === true ? [] : logins.filter((login) => login.server !== server);
      const removed = logins.filter((login) => !left.includes(login)).map((login) => login.server);
      await writeLogins(path, left);
      outputOf(terminal, command.optsWithGlobals<GlobalFlags>()).show({ removed: removed.length > 0, servers: removed, path }, () => [
        removed.length === 0
          ? `There was no login${server === undefined ? '' : ` for ${server}`}.`
          : `Forgot ${removed.join(', ')}. The token itself stays valid until it is revoked.`,
      ]);
    });

  const servers = program.command('servers').description('the servers for which there are logins');

  servers
    .command('list')
    .description('list them; commands go to the first when no server is named')
    .action(async (_: object, command: Command) => {
      const logins = await readLogins(configFilePath(terminal.environment, terminal.home));
      const items = logins.map(({ server, cluster }) => ({ server, ...(cluster === undefined ? {} : { cluster }) }));
      outputOf(terminal, command.optsWithGlobals<GlobalFlags>()).show({ items }, () =>
        listing(
          ['SERVER', 'CLUSTER'],
          items.map(({ server, cluster }) => [server, cluster ?? '']),
          'There is no login: "systole login <url>".',
        ),
      );
    });

  servers
    .command('access')
    .description('show which server, cluster and token commands go to, for programs that ask by themselves; whoever reads it has the token')
    .action(
      inSession(surroundings, async (session) => {
        const { server, token, ca } = session.settings;
        const access = { server, token, cluster: await session.cluster(), ...(ca === undefined ? {} : { ca }) };
        session.show(access, () => Object.entries(access).map(([name, value]) => `${name.padEnd(8)} ${value}`));
      }),
    );

  servers
    .command('use <url>')
    .description('have commands go to this one when no server is named')
    .action(async (url: string, _: object, command: Command) => {
      const path = configFilePath(terminal.environment, terminal.home);
      const logins = await readLogins(path);
      const server = serverUrl(url);
      const chosen = logins.find((login) => login.server === server);
      if (chosen === undefined) throw new UsageError(`there is no login for ${server}: "systole login ${server}"`);
      await writeLogins(path, [chosen, ...logins.filter((login) => login !== chosen)]);
      outputOf(terminal, command.optsWithGlobals<GlobalFlags>()).show({ server }, () => [`Commands go to ${server}.`]);
    });
}

/** Without showing it, where a person types. */
async function askForToken(terminal: Terminal): Promise<string> {
  if (!('isTTY' in terminal.stdin) || !terminal.stdin.isTTY) return (await readInput(terminal)).toString('utf8').trim();
  const silent = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  process.stderr.write('Token: ');
  const prompt = createInterface({ input: terminal.stdin, output: silent, terminal: true });
  try {
    return (await prompt.question('', { signal: terminal.interrupted })).trim();
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}
