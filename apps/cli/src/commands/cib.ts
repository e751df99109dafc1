import { writeFile } from 'node:fs/promises';
import { unwrap, type components } from '@systole/api-client';
import type { Command } from 'commander';
import { inSession, type Session, type Surroundings } from '../session.js';
import { readDocument } from './cluster.js';
import {
  addForceOption,
  addWriteOptions,
  forced,
  showWriteResult,
  wholeNumber,
  writeParams,
  type ForceFlags,
  type WriteFlags,
} from './write-options.js';

interface ExportFlags {
  readonly at?: number;
  readonly output?: string;
}

interface ImportFlags extends WriteFlags, ForceFlags {
  readonly reason?: string;
}

export function addCibCommands(program: Command, surroundings: Surroundings): void {
  const cib = program.command('cib').description('export, compare and import the configuration');

  cib
    .command('export')
    .description('print the CIB, configuration and status, as XML (with --json as JSON)')
    .option('--at <version>', 'as it was at this version of the cluster', wholeNumber)
    .option('-o, --output <file>', 'write it to this file')
    .action(
      inSession<ExportFlags>(surroundings, async (session, { at, output }) => {
        const { client, json, terminal } = session;
        const params = { path: { cluster: await session.cluster() }, query: at === undefined ? {} : { version: at } };
        const headers = { accept: json ? 'application/json' : 'application/xml' };
        const text = unwrap(await client.GET('/v1/clusters/{cluster}/cib', { params, headers, parseAs: 'text' }));
        const document = text.endsWith('\n') ? text : `${text}\n`;
        if (output === undefined) terminal.write(document);
        else await writeFile(output, document);
      }),
    );

  addForceOption(cib.command('diff <file>'))
    .description('show what importing a configuration would change, and what the cluster would do then')
    .action(
      inSession<ForceFlags>(surroundings, async (session, { force }, [file = '']) => {
        const flags = { dryRun: true, ...(force === undefined ? {} : { force }) };
        showWriteResult(session, await replaceConfiguration(session, file, flags));
      }),
    );

  addForceOption(addWriteOptions(cib.command('import <file>')))
    .description('replace the configuration (- for standard input); a status section in the file is ignored')
    .option('--reason <text>', 'why; kept with the event')
    .action(
      inSession<ImportFlags>(surroundings, async (session, flags, [file = '']) => {
        showWriteResult(session, await replaceConfiguration(session, file, flags));
      }),
    );
}

async function replaceConfiguration(session: Session, file: string, flags: ImportFlags): Promise<components['schemas']['WriteResultDto']> {
  const { query, header } = writeParams(flags);
  const document = await readDocument(file, session.terminal);
  return unwrap(
    await session.client.PUT('/v1/clusters/{cluster}/cib', {
      params: {
        path: { cluster: await session.cluster() },
        query: { ...query, ...forced(flags), ...(flags.reason === undefined ? {} : { reason: flags.reason }) },
        header,
      },
      ...asXml(document),
    }),
  );
}

/** A request's body that is XML, for the client, which would make JSON of it. */
export function asXml(document: string): {
  readonly body: string;
  readonly bodySerializer: (body: unknown) => unknown;
  readonly headers: { readonly 'content-type': string };
} {
  return { body: document, bodySerializer: (body) => body, headers: { 'content-type': 'application/xml' } };
}
