import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { createInterface } from 'node:readline/promises';
import { unwrap } from '@systole/api-client';
import type { Command } from 'commander';
import { connect } from '../connection.js';
import { UsageError } from '../exit-code.js';
import { outputOf, type Surroundings } from '../session.js';
import { configFilePath, removeLogin, writeLogin } from '../settings/config-file.js';
import { serverUrl, type GlobalFlags } from '../settings/settings.js';
import { readInput, type Terminal } from '../terminal.js';

export function addLoginCommands(program: Command, { terminal }: Surroundings): void {
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
      const client = connect({ server, token, ...ca }, terminal.interrupted);
      const found = unwrap(await client.GET('/v1/clusters', { params: { query: { limit: 1 } } }));
      if (flags.cluster !== undefined) {
        unwrap(await client.GET('/v1/clusters/{cluster}', { params: { path: { cluster: flags.cluster } } }));
      }
      const path = configFilePath(terminal.environment, terminal.home);
      await writeLogin(path, { server, token, ...ca, ...(flags.cluster === undefined ? {} : { cluster: flags.cluster }) });
      const clusters = found.items.length === 0 ? ' It has no cluster yet: "systole cluster create <name>".' : '';
      outputOf(terminal, flags).show({ server, path }, () => [`Logged in to ${server}; kept in ${path}.${clusters}`]);
    });

  program
    .command('logout')
    .description('forget the server and the token')
    .action(async (_: object, command: Command) => {
      const path = configFilePath(terminal.environment, terminal.home);
      const removed = await removeLogin(path);
      outputOf(terminal, command.optsWithGlobals<GlobalFlags>()).show({ removed, path }, () => [
        removed ? `Removed ${path}. The token itself stays valid until it is revoked.` : 'There was no login.',
      ]);
    });
}

/** Without showing it, where a person types. */
async function askForToken(terminal: Terminal): Promise<string> {
  if (!('isTTY' in terminal.stdin) || !terminal.stdin.isTTY) return (await readInput(terminal)).trim();
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
