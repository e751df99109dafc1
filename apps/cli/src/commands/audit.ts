import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { unwrap, type components } from '@systole/api-client';
import type { EvidenceVerdict, SignedHeads } from '@systole/event-store';
import { Option, type Command } from 'commander';
import { EXIT, UsageError } from '../exit-code.js';
import { renderAuditEntry } from '../render/audit-entry.js';
import { renderVerdict } from '../render/evidence.js';
import { inSession, outputOf, type Session, type Surroundings } from '../session.js';
import type { GlobalFlags } from '../settings/settings.js';
import { writeStream } from './events.js';
import { wholeNumber } from './write-options.js';

type Entry = components['schemas']['AuditEntryDto'];

interface ListFlags {
  readonly everything?: boolean;
  readonly in?: string;
  readonly type?: readonly string[];
  readonly subject?: readonly string[];
  readonly actor?: string;
  readonly by?: string;
  readonly correlation?: string;
  readonly text?: string;
  readonly since?: string;
  readonly until?: string;
  readonly newestFirst?: boolean;
  readonly format?: 'ndjson' | 'csv';
  readonly limit: number;
}

interface HeadsFlags {
  readonly after?: number;
}

interface EvidenceFlags {
  readonly in?: readonly string[];
  readonly output?: string;
}

interface VerifyFlags extends GlobalFlags {
  readonly heads?: readonly string[];
  readonly key?: readonly string[];
  readonly partial?: boolean;
}

const DEFAULT_LIMIT = 50;

export function addAuditCommands(program: Command, surroundings: Surroundings): void {
  const audit = program.command('audit').description('who did what on the server and anywhere, and the proof that nobody has changed that');
  addListCommand(audit, surroundings);
  addEvidenceCommands(audit, surroundings);
  addOfflineCommands(audit, surroundings);
}

function addListCommand(audit: Command, surroundings: Surroundings): void {
  audit
    .command('list')
    .description("show the newest entries of the server's audit, oldest first; with --json one document per line")
    .option('--everything', 'also the events of all clusters: everything that somebody did')
    .option('--in <cluster>', 'what concerns this cluster only: id or name, also of one that was deleted')
    .option('--type <types...>', 'of these types only, e.g. RequestRefused')
    .option('--subject <subjects...>', 'that names all of these only: a token, an address, a node, a resource')
    .option('--actor <actor>', 'by this actor only, e.g. user:alice')
    .option('--by <command>', 'by this command only')
    .option('--correlation <id>', 'what followed from one request only')
    .option('--text <words>', 'with these words in the reason that was given only')
    .option('--since <time>', 'at or after: ISO 8601, or an age, e.g. 1d')
    .option('--until <time>', 'before: ISO 8601, or an age')
    .option('--newest-first', 'newest first')
    .addOption(new Option('--format <format>', 'export all of them, not the newest only: one a line').choices(['ndjson', 'csv']))
    .option('-n, --limit <count>', 'at most so many', wholeNumber, DEFAULT_LIMIT)
    .action(
      inSession<ListFlags>(surroundings, async (session, flags) => {
        if (flags.format !== undefined) {
          const query = { ...filterOf(flags), format: flags.format, ...(flags.newestFirst === true ? { order: 'desc' as const } : {}) };
          const answer = await session.client.GET('/v1/audit/export', { params: { query }, parseAs: 'stream' });
          await writeStream(session, unwrap(answer));
          return;
        }
        const found = await newestEntries(session, flags);
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

async function newestEntries({ client }: Session, flags: ListFlags): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  let page: { readonly cursor?: string } = {};
  for (;;) {
    const limit = Math.max(1, Math.min(flags.limit - found.length, 1_000));
    const query = { ...page, ...filterOf(flags), order: 'desc' as const, limit };
    const { items, next } = unwrap(await client.GET('/v1/audit', { params: { query } }));
    found.push(...items);
    if (next === undefined || found.length >= flags.limit) return flags.newestFirst === true ? found : found.reverse();
    page = { cursor: next };
  }
}

function filterOf(flags: ListFlags) {
  const { everything, in: cluster, type, subject, actor, by, correlation, text, since, until } = flags;
  return {
    ...(everything === undefined ? {} : { everything }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(type === undefined ? {} : { type: [...type] as never }),
    ...(subject === undefined ? {} : { subject: [...subject] }),
    ...(actor === undefined ? {} : { actor }),
    ...(by === undefined ? {} : { command: by }),
    ...(correlation === undefined ? {} : { correlation }),
    ...(text === undefined ? {} : { text }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

function addEvidenceCommands(audit: Command, surroundings: Surroundings): void {
  audit
    .command('heads')
    .description('print the signed heads of the log, oldest first, one JSON document a line: keep them where nobody can change them')
    .option('--after <number>', 'only those after this statement', wholeNumber)
    .action(
      inSession<HeadsFlags>(surroundings, async ({ client, terminal }, { after }) => {
        let cursor = after === undefined ? undefined : String(after);
        for (;;) {
          const query = { order: 'asc' as const, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
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
        const file = await open(output, 'w', 0o600);
        try {
          await writeStream(session, stream, (bytes) => file.writeFile(bytes));
        } finally {
          await file.close();
        }
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

/** @throws {UsageError} */
async function signedHeadsIn(path: string): Promise<readonly SignedHeads[]> {
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

/** @throws {UsageError} for what is wrong with a key */
async function usable<T>(result: Promise<T>): Promise<T> {
  const { UnusableKey } = await import('@systole/event-store');
  return result.catch((error: unknown) => {
    throw error instanceof UnusableKey ? new UsageError(error.message) : error;
  });
}
