import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { unwrap, type components } from '@systole/api-client';
import type { EvidenceVerdict, SignedHeads } from '@systole/event-store';
import type { Command } from 'commander';
import { printableJson } from '@systole/protocol';
import { EXIT, UsageError } from '../exit-code.js';
import { renderAuditEntry } from '../render/audit-entry.js';
import { renderArchiveVerdict, renderVerdict } from '../render/evidence.js';
import { writeWhole } from '../whole-file.js';
import { inSession, outputOf, type Session, type Surroundings } from '../session.js';
import type { GlobalFlags } from '../settings/settings.js';
import { addEventFilterOptions, exportOf, filterOf, firstOf, type EventFilterFlags } from './event-filter-options.js';
import { writeStream } from './events.js';
import { wholeNumber } from './write-options.js';

type Entry = components['schemas']['AuditEntryDto'];

interface ListFlags extends EventFilterFlags {
  readonly everything?: boolean;
  readonly in?: string;
}

interface HeadsFlags {
  readonly after?: string;
}

interface EvidenceFlags {
  readonly in?: readonly string[];
  readonly output?: string;
}

interface RangeFlags {
  readonly from?: number;
  readonly to?: number;
  readonly unchecked?: boolean;
}

interface VerifyFlags extends GlobalFlags {
  readonly heads?: readonly string[];
  readonly key?: readonly string[];
  readonly partial?: boolean;
}

export function addAuditCommands(program: Command, surroundings: Surroundings): void {
  const audit = program.command('audit').description('who did what on the server and anywhere, and the proof that nobody has changed that');
  addListCommand(audit, surroundings);
  addEvidenceCommands(audit, surroundings);
  addOfflineCommands(audit, surroundings);
}

function addListCommand(audit: Command, surroundings: Surroundings): void {
  const list = audit
    .command('list')
    .description("show the newest entries of the server's audit, oldest first; with --json one document per line")
    .option('--everything', 'also the events of all clusters: everything that somebody did')
    .option('--in <cluster>', 'what concerns this cluster only: id or name, also of one that was deleted');
  addEventFilterOptions(list, {
    type: 'RequestRefused',
    subject: 'that names all of these only: a token, an address, a node, a resource',
    actor: 'user:alice',
    age: '1d',
  }).action(
    inSession<ListFlags>(surroundings, async (session, flags) => {
      const { everything, in: cluster } = flags;
      const asked = {
        ...filterOf(flags),
        ...(everything === undefined ? {} : { everything }),
        ...(cluster === undefined ? {} : { cluster }),
      };
      if (flags.format !== undefined) {
        const query = { ...asked, format: flags.format, ...exportOf(flags) };
        const answer = await session.client.GET('/v1/audit/export', { params: { query }, parseAs: 'stream' });
        await writeStream(session, unwrap(answer));
        return;
      }
      const found = await newestEntries(session, flags, asked);
      if (found.length === 0 && flags.actor !== undefined) session.terminal.complain(nobodyText(flags.actor));
      for (const entry of found) session.show(entry, () => renderAuditEntry(entry, session.paint));
    }),
  );
}

/** Nothing by somebody may mean that nobody is written so. */
function nobodyText(actor: string): string {
  const advice = actor.includes(':') ? '' : `; actors are written with what they are, e.g. user:${actor}`;
  return `Nothing by "${actor}" was found${advice}.`;
}

async function newestEntries(
  { client }: Session,
  { limit, newestFirst }: ListFlags,
  asked: ReturnType<typeof filterOf>,
): Promise<readonly Entry[]> {
  const found = await firstOf(limit, async (page) => {
    const query = { ...asked, order: 'desc' as const, ...page };
    return unwrap(await client.GET('/v1/audit', { params: { query } }));
  });
  return newestFirst === true ? found : [...found].reverse();
}

function addEvidenceCommands(audit: Command, surroundings: Surroundings): void {
  audit
    .command('heads')
    .description('print the signed heads of the log, oldest first, one JSON document a line: keep them where nobody can change them')
    .option(
      '--after <statement>',
      'only those after this statement: its number, or the file in which earlier ones are kept (after its last one)',
    )
    .action(
      inSession<HeadsFlags>(surroundings, async ({ client, terminal }, { after }) => {
        const place = after === undefined ? {} : { after: await statementIn(after) };
        let cursor: string | undefined;
        for (;;) {
          const query = { order: 'asc' as const, limit: 100, ...place, ...(cursor === undefined ? {} : { cursor }) };
          const { items, next, note } = unwrap(await client.GET('/v1/evidence/heads', { params: { query } }));
          for (const signed of items) terminal.write(`${JSON.stringify(signed)}\n`);
          if (note !== undefined) terminal.complain(note);
          if (next === undefined) return;
          cursor = next;
        }
      }),
    );

  audit
    .command('evidence')
    .description('export the whole log with its hashes and signed heads, for "systole audit verify"')
    .option('--in <clusters...>', 'of these clusters only: id or name, also of those that were deleted (an id then)')
    .option('-o, --output <file>', 'write it to this file')
    .action(
      inSession<EvidenceFlags>(surroundings, async (session, { in: clusters, output }) => {
        const params = { query: clusters === undefined ? {} : { cluster: [...clusters] } };
        const stream = unwrap(await session.client.GET('/v1/evidence/export', { params, parseAs: 'stream' }));
        if (output === undefined) {
          await writeStream(session, stream);
          return;
        }
        await writeWhole(output, (put) => writeStream(session, stream, put), 0o600);
      }),
    );
}

/** These ask no server. What they need is loaded only then. */
function addOfflineCommands(audit: Command, { terminal, end }: Surroundings): void {
  audit
    .command('verify <file>')
    .description(
      'check a file of "systole audit evidence" offline: was anything changed, removed, put elsewhere, cut off? (-: standard input)',
    )
    .option('--heads <files...>', 'signed heads that were kept elsewhere ("systole audit heads"), too')
    .option('--key <files...>', 'public keys that are trusted; a statement that was signed with any other is a fault')
    .option('--partial', 'the file has some of the streams only')
    .action(async (file: string, _: object, command: Command) => {
      const flags = command.optsWithGlobals<VerifyFlags>();
      const verdict = await verify(file, flags, terminal.stdin);
      outputOf(terminal, flags).show(verdict, () => renderVerdict(verdict));
      if (!verdict.intact) end(EXIT.failed);
    });

  audit
    .command('verify-archive <directory>')
    .description('check an archive of "systole admin archive" offline: was a file changed, an event put elsewhere, is there a gap?')
    .option('--key <files...>', 'public keys that are trusted; a statement that was signed with any other is a fault')
    .action(async (directory: string, _: object, command: Command) => {
      const flags = command.optsWithGlobals<VerifyFlags>();
      const { readPublicKey, verifyArchive } = await import('@systole/event-store');
      const keys = flags.key === undefined ? undefined : await usable(Promise.all(flags.key.map(readPublicKey)));
      const verdict = await usable(verifyArchive(directory, keys));
      if (verdict.files === 0 && verdict.intact) throw new UsageError(`${directory} is no archive, or an empty one`);
      outputOf(terminal, flags).show(verdict, () => renderArchiveVerdict(verdict));
      if (!verdict.intact) end(EXIT.failed);
    });

  audit
    .command('read-archive <directory> <stream>')
    .description('print archived events of a cluster (its id) or of a stream of the server, one JSON document a line, as they were hashed')
    .option('--from <version>', 'from this version on', wholeNumber)
    .option('--to <version>', 'up to this version', wholeNumber)
    .option('--unchecked', 'as the files are, changed or without a manifest')
    .action(async (directory: string, streamId: string, { from, to, unchecked = false }: RangeFlags) => {
      const { readArchive } = await import('@systole/event-store');
      const range = {
        streamId,
        unchecked,
        ...(from === undefined ? {} : { fromVersion: from }),
        ...(to === undefined ? {} : { toVersion: to }),
      };
      let events = 0;
      await usable(
        (async () => {
          for await (const event of readArchive(directory, range)) {
            events += 1;
            terminal.write(`${terminal.interactive ? printableJson(event) : event}\n`);
          }
        })(),
      );
      if (events === 0) throw new UsageError(`${directory} has no such events of ${streamId}: streams are named by their ids`);
    });

  audit
    .command('make-key <file>')
    .description(
      'make the key with which workers sign the heads of the log: the private one into the file, the public one beside it (.pub)',
    )
    .action(async (file: string, _: object, command: Command) => {
      const { keyName, makeSigningKey } = await import('@systole/event-store');
      const name = keyName(await usable(makeSigningKey(file)));
      outputOf(terminal, command.optsWithGlobals<GlobalFlags>()).show({ key: name, privateKey: file, publicKey: `${file}.pub` }, () => [
        `Made the key ${name}: ${file} (private, for the workers: SYSTOLE_SIGNING_KEY_FILE) and ${file}.pub (public, for whoever verifies).`,
      ]);
    });
}

/** @throws {UsageError} when a file can't be used */
async function verify(file: string, flags: VerifyFlags, stdin: NodeJS.ReadableStream): Promise<EvidenceVerdict> {
  const { readPublicKey, verifyEvidence } = await import('@systole/event-store');
  const published: SignedHeads[] = [];
  for (const path of flags.heads ?? []) published.push(...(await signedHeadsIn(path)));
  const keys = flags.key === undefined ? undefined : await usable(Promise.all(flags.key.map(readPublicKey)));
  const pieces = file === '-' ? bytesOf(stdin) : createReadStream(file, { highWaterMark: 1024 * 1024 });
  try {
    return await verifyEvidence({
      file: pieces,
      published,
      ...(keys === undefined ? {} : { trustedKeys: keys }),
      ...(flags.partial === true ? { partial: true } : {}),
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new UsageError(`${file} can not be read: ${error.message}`);
    throw error;
  }
}

async function* bytesOf(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array, void, void> {
  for await (const piece of stream) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

/** Which statement is meant by a number, or by a file that ends with it: of that, its digest is known as well. @throws {UsageError} */
async function statementIn(after: string): Promise<string> {
  if (/^\d{1,15}$/.test(after)) return after;
  const { statementDigest } = await import('@systole/event-store');
  const last = (await statementsIn(after)).at(-1)?.statement;
  return last === undefined ? '0' : `${String(last.number)}.${statementDigest(last)}`;
}

/** @throws {UsageError} */
async function signedHeadsIn(path: string): Promise<readonly SignedHeads[]> {
  const signed = await statementsIn(path);
  if (signed.length > 0) return signed;
  throw new UsageError(
    `${path} holds no statement, so that nothing published would be compared: see whether "systole audit heads" is still written there, or leave --heads out`,
  );
}

/** What a file of signed heads holds: nothing before the first were kept. @throws {UsageError} */
async function statementsIn(path: string): Promise<readonly SignedHeads[]> {
  const { isSignedHeads } = await import('@systole/event-store');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${path} can not be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parsed(line);
    if (isSignedHeads(value)) return [value];
    throw new UsageError(`line ${String(index + 1)} of ${path} holds no signed heads: give what "systole audit heads" printed`);
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** @throws {UsageError} for what is wrong with a key or an archive */
async function usable<T>(result: Promise<T>): Promise<T> {
  const { UnusableArchive, UnusableKey } = await import('@systole/event-store');
  return result.catch((error: unknown) => {
    throw error instanceof UnusableKey || error instanceof UnusableArchive ? new UsageError(error.message) : error;
  });
}
