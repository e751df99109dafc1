import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { startEmbedded, type Embedded, type EmbeddedOptions } from '@systole/embedded';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { run } from '../program.js';

/** What a command came to. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What a command is given besides its arguments. */
export interface Given {
  readonly stdin?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
  /** Of a terminal that can be drawn over. */
  readonly size?: { readonly columns: number; readonly rows: number };
}

/** The command line, with a home directory of its own and a server that it can ask. */
export class CommandLine {
  private constructor(
    /** Its home, where its settings are. */
    readonly directory: string,
    readonly database: ScratchDatabase,
    readonly server: Embedded,
    /** An administrator's. */
    readonly token: string,
  ) {}

  /** @param partsIn settings of the server's parts, whose files are in the command line's home */
  static async start(partsIn?: (directory: string) => Promise<EmbeddedOptions['parts']>): Promise<CommandLine> {
    const directory = await mkdtemp(join(tmpdir(), 'systole-cli-'));
    const parts = await partsIn?.(directory);
    const database = await createScratchDatabase();
    const token = 'an-admin-token-for-the-command-line';
    const server = await startEmbedded({
      ...{ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: token },
      ...(parts === undefined ? {} : { parts }),
    });
    return new CommandLine(directory, database, server, token);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.database.drop();
    await rm(this.directory, { recursive: true, force: true });
  }

  async systole(args: readonly string[], given: Given = {}): Promise<Outcome> {
    let out = '';
    let err = '';
    const code = await run(args, {
      environment: { ...given.environment, SYSTOLE_CONFIG: join(this.directory, 'config.json'), DATABASE_URL: this.database.url },
      home: this.directory,
      stdin: Readable.from([given.stdin ?? '']),
      write: (text) => {
        out += text;
        given.onOutput?.(text);
      },
      complain: (line) => {
        err += `${line}\n`;
      },
      interactive: given.size !== undefined,
      size: () => given.size,
      interrupted: given.signal ?? new AbortController().signal,
    });
    return { code, out, err };
  }
}
