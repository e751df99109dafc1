import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Redaction } from './redaction.js';

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** The files of a report before they are packed, in a directory that only its owner can read. What is put there has passed {@link Redaction} once. */
export class StagedFiles {
  private constructor(
    /** Where the folder of the report is. */
    readonly directory: string,
    /** The folder in which all files are, in the archive, too. */
    readonly folder: string,
  ) {}

  /** @param folder name of the one folder of the archive */
  static async open(folder: string): Promise<StagedFiles> {
    return new StagedFiles(await mkdtemp(join(tmpdir(), 'systole-report-')), folder);
  }

  /** @param path below the folder */
  async write(path: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const target = this.#placeOf(path);
    await mkdir(dirname(target), { recursive: true, mode: DIRECTORY_MODE });
    await pipeline(Readable.from(pieces), createWriteStream(target, { flags: 'wx', mode: FILE_MODE }));
  }

  /** Once everything was seen: takes out of a file what was seen elsewhere to be a secret. */
  async takeOutOf(path: string, redaction: Redaction): Promise<void> {
    const target = this.#placeOf(path);
    const isJson = /\.(?:json|ndjson)$/.test(path);
    const lines = createInterface({ input: createReadStream(target), crlfDelay: Infinity });
    async function* without(): AsyncGenerator<string> {
      for await (const line of lines) yield `${redaction.seenElsewhere(line, isJson)}\n`;
    }
    const fresh = `${target}.fresh`;
    await pipeline(Readable.from(without()), createWriteStream(fresh, { flags: 'wx', mode: FILE_MODE }));
    await rename(fresh, target);
  }

  /** What was written of a file that did not come to its end. */
  async remove(path: string): Promise<void> {
    await rm(this.#placeOf(path), { force: true });
  }

  async bytesOf(path: string): Promise<number> {
    return (await stat(this.#placeOf(path))).size;
  }

  async close(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  #placeOf(path: string): string {
    return join(this.directory, this.folder, path);
  }
}
