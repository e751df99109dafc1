import { isAscii } from 'node:buffer';
import { readFileSync, readSync } from 'node:fs';
import { documentEncoding, documentText } from '@systole/cib';
import bunzip from 'seek-bzip';
import type { CommandLine } from './command-line.js';
import { EXIT, ProgramError } from './exit-codes.js';
import { isSystemError } from './file-errors.js';

const STDIN = 0;
const CHUNK_SIZE = 65_536;

/** Where a CIB comes from: a file, or standard input. */
export type Source = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'stdin' };

/**
 * The source that a command line names; without any it is standard input (specification 08 §10.1).
 *
 * @param environment its variables `CIB_file`, `CIB_shadow` and `CIB_shadow_dir` name a CIB in place of that of the running cluster.
 * @throws {ProgramError} when the CIB of the running cluster is wanted and the environment names none in its place.
 */
export function sourceOf(options: CommandLine, environment: NodeJS.ProcessEnv): Source {
  const path = options.last('xml-file');
  if (path !== undefined && path !== '-') return { kind: 'file', path };
  if (path === '-' || options.has('xml-pipe') || !options.has('live-check')) return { kind: 'stdin' };
  const { CIB_file: file, CIB_shadow: shadow, CIB_shadow_dir: directory = '/var/lib/pacemaker/cib' } = environment;
  if (shadow !== undefined) return { kind: 'file', path: `${directory}/shadow.${shadow}` };
  if (file !== undefined) return { kind: 'file', path: file };
  throw new ProgramError(
    EXIT.noInput,
    'crm_simulate: CIB query failed: there is no running cluster to ask. Name a file (--xml-file, or CIB_file in the environment), ' +
      'or pipe a CIB in: systole cib export | crm_simulate --xml-pipe',
  );
}

/** What a source is called in messages. */
export function sourceName(source: Source): string {
  return source.kind === 'file' ? source.path : 'standard input';
}

/**
 * The text of a source, unpacked if it was compressed with gzip or bzip2, as Pacemaker keeps the inputs of its scheduler.
 *
 * @throws when it can't be read or is damaged; {XmlError} for bytes that are none of the encoding that it declares, else of UTF-8.
 */
export function readSource(source: Source): string {
  const bytes = source.kind === 'file' ? readFileSync(source.path) : readStandardInput();
  return textOf(unpacked(bytes));
}

function unpacked(bytes: Buffer): Buffer {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return process.getBuiltinModule('node:zlib').gunzipSync(bytes);
  if (bytes.subarray(0, 3).toString('latin1') === 'BZh')
    return withoutDeprecations(() => Buffer.from(bunzip.decode(bytes, undefined, true)));
  return bytes;
}

/** A large status is read much faster where nothing has to be decoded. */
function textOf(bytes: Buffer): string {
  return documentEncoding(bytes) === 'utf-8' && isAscii(bytes) ? bytes.toString('latin1') : documentText(bytes);
}

/** The library makes its buffers with a constructor that Node would warn of. */
function withoutDeprecations<Read>(read: () => Read): Read {
  const before = process.noDeprecation === true;
  process.noDeprecation = true;
  try {
    return read();
  } finally {
    process.noDeprecation = before;
  }
}

/** Everything until the end; a terminal or a pipe that has nothing yet is waited for. */
function readStandardInput(): Buffer {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_SIZE);
    const length = readChunk(chunk);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
  }
}

function readChunk(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(STDIN, chunk);
    } catch (error) {
      if (!isSystemError(error, 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
