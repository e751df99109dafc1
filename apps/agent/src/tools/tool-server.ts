import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentText } from '@systole/cib';
import type { ProcessUser } from '@systole/ocf';
import type { Caller } from './caller.js';
import { BadFrame, encodeFrame, FrameReader, type Frame } from './frames.js';
import { TOOL_NAMES } from './run-tool.js';
import { failedResult } from './failures.js';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from './tool.js';

const MAX_CALL_BYTES = 4 * 1024 * 1024;
/** Of standard input; a CIB of a large cluster fits. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024;
/** A client that hears nothing for six times as long gives the agent up. */
const TICK_MS = 5_000;

/** Calls of another account at a time, and what each may send: it must keep the agent neither from its lease nor from its memory. What alert programs ask is short; a document of theirs, in its arguments too, would be read by the loop that renews the lease. */
const READERS = { mostClients: 32, mostCall: 64 * 1024, mostInput: 64 * 1024 };

const PERL = '/usr/bin/perl';

/** Where resource agents find the tools: a directory for PATH, and the socket that the tools talk to. */
export interface ToolEndpoint {
  readonly directory: string;
  readonly socket: string;
}

/** A socket for the programs of another account: they ask, and have nothing changed (see {@link ToolCall.isReader}). */
export interface ReaderEndpoint {
  readonly socket: string;
  /** Who may use it, beside root. */
  readonly user: ProcessUser;
}

/** Puts the tools' programs into the run directory and answers them on a local socket, in frames (decision 0065). */
export class ToolServer {
  private constructor(
    private readonly client: 'perl' | 'node',
    private readonly doors: readonly Door[],
    readonly endpoint: ToolEndpoint,
  ) {}

  /**
   * @param answer runs a call; must not reject
   * @param readers undefined: none
   */
  static async start(
    endpoint: ToolEndpoint,
    answer: (call: ToolCall) => Promise<ToolResult>,
    readers?: ReaderEndpoint,
  ): Promise<ToolServer> {
    const doors = [new Door(endpoint.socket, answer)];
    if (readers !== undefined)
      doors.push(new Door(readers.socket, (call) => answer({ ...call, isReader: true }), { ...READERS, user: readers.user }));
    const server = new ToolServer((await hasPerl()) ? 'perl' : 'node', doors, endpoint);
    await installTools(endpoint.directory, server.client);
    for (const door of doors) await door.open();
    return server;
  }

  /** Without one of these no program reaches its tools: the sockets, and the first of the tools. */
  get paths(): readonly string[] {
    return [...this.doors.map(({ path }) => path), ...TOOL_NAMES.slice(0, 1).map((name) => join(this.endpoint.directory, name))];
  }

  /** Makes the tools and their sockets, as far as somebody has removed them; who is in a call through a socket that was removed is answered still. */
  async remake(): Promise<void> {
    await installTools(this.endpoint.directory, this.client);
    for (const door of this.doors) if (!existsSync(door.path)) await door.open();
  }

  /** What still runs in the background finds its way back to the agent's next process by itself. */
  async close(): Promise<void> {
    await Promise.all(this.doors.map((door) => door.close()));
  }
}

/** What may be sent, bytes. */
interface Limits {
  /** The tool, its arguments and its variables together. */
  readonly mostCall: number;
  /** Each file, or standard input. */
  readonly mostInput: number;
}

/** A socket that nobody but its owner can use. */
class Door {
  private readonly clients = new Set<Socket>();
  private server: Server | undefined;

  constructor(
    readonly path: string,
    private readonly answer: (call: ToolCall) => Promise<ToolResult>,
    private readonly limits: Limits & { readonly mostClients: number; readonly user?: ProcessUser } = {
      mostClients: Infinity,
      mostCall: MAX_CALL_BYTES,
      mostInput: MAX_INPUT_BYTES,
    },
  ) {}

  /** Listens, from now on here alone. Nobody else can use it from its first moment on: with the mode changed afterwards, whoever is quick has it before. */
  async open(): Promise<void> {
    const { path, clients, answer } = this;
    const { limits } = this;
    const { mostClients, user } = limits;
    // Takes its path away with it.
    this.server?.close();
    await rm(path, { force: true });
    const server = createServer({ allowHalfOpen: false }, (socket) => {
      clients.add(socket);
      socket.once('close', () => clients.delete(socket));
      new Conversation(socket, answer, limits).begin();
    });
    server.maxConnections = mostClients;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      const before = process.umask(0o177);
      try {
        server.listen(path, resolve);
      } finally {
        process.umask(before);
      }
    });
    this.server = server;
    if (user !== undefined) await chown(path, user.uid, user.gid);
  }

  async close(): Promise<void> {
    const { server, clients, path } = this;
    const closed = server === undefined ? undefined : new Promise((resolve) => server.close(resolve));
    for (const client of clients) client.destroy();
    await closed;
    await rm(path, { force: true });
  }
}

function hasPerl(): Promise<boolean> {
  return Promise.resolve(spawnSync(PERL, ['-e', 'exit 0'], { stdio: 'ignore', timeout: 5_000 }).status === 0);
}

/**
 * Each tool is a link to the client, since a run directory is often mounted `noexec`; where there is no Perl, a shell script that runs the slower client with this very
 * Node, whatever PATH says.
 */
export async function installTools(directory: string, client: 'perl' | 'node'): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  const program = fileURLToPath(new URL(`../../bin/systole-tool.${client === 'perl' ? 'pl' : 'js'}`, import.meta.url));
  const simulate = join(directory, 'crm_simulate');
  await rm(simulate, { force: true });
  await symlink(fileURLToPath(new URL('../../bin/crm_simulate', import.meta.url)), simulate);
  for (const name of TOOL_NAMES) {
    const path = join(directory, name);
    await rm(path, { force: true });
    if (client === 'perl') {
      await symlink(program, path);
    } else {
      await writeFile(path, `#!/bin/sh\nexec '${quoted(process.execPath)}' '${quoted(program)}' ${name} "$@"\n`, { mode: 0o755 });
      await chmod(path, 0o755);
    }
  }
}

function quoted(path: string): string {
  return path.replaceAll("'", `'\\''`);
}

/** One call, from its first frame to its end. */
class Conversation implements Caller {
  private readonly ended = new AbortController();
  private reader: FrameReader;
  private readonly call: { tool?: string; args: string[]; env: Record<string, string>; cwd?: string; isAgain: boolean } = {
    args: [],
    env: {},
    isAgain: false,
  };
  private isAnswered = false;
  /** What of the call is no text. */
  private unreadable: string | undefined;
  private readonly input: Buffer[] = [];
  private whenRead: ((input: Buffer, trouble?: string) => void) | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly answer: (call: ToolCall) => Promise<ToolResult>,
    private readonly limits: Limits,
  ) {
    this.reader = new FrameReader(limits.mostCall);
  }

  get gone(): AbortSignal {
    return this.ended.signal;
  }

  begin(): void {
    const { socket } = this;
    // A client that was killed meanwhile is no concern of ours.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.ended.abort();
      this.whenRead?.(Buffer.alloc(0));
    });
    socket.on('data', (chunk) => {
      try {
        for (const frame of this.reader.push(chunk)) this.take(frame);
      } catch (error) {
        if (!(error instanceof BadFrame)) throw error;
        socket.destroy();
      }
    });
  }

  stdin(): Promise<string> {
    return this.whatComes('stdin');
  }

  read(path: string): Promise<string> {
    return this.whatComes('read', path);
  }

  /** All that the client sends of what it is asked for. */
  private whatComes(asked: 'stdin' | 'read', content = ''): Promise<string> {
    return new Promise((resolve, reject) => {
      this.reader = new FrameReader(this.limits.mostInput);
      this.whenRead = (input, trouble) => {
        try {
          if (trouble !== undefined) throw new Error(trouble);
          resolve(documentText(input));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      this.send(asked, content);
    });
  }

  detach(pidFile: string): void {
    this.send('detach', pidFile);
  }

  write(text: string): void {
    this.send('out', text);
  }

  overwrite(path: string, content: string): void {
    this.send('overwrite', `${path}\0${content}`);
  }

  file(path: string, content: string): void {
    this.send('file', `${path}\0${content}`);
  }

  create(path: string, content: string): void {
    this.send('create', `${path}\0${content}`);
  }

  remove(path: string): void {
    this.send('remove', path);
  }

  run(program: string, environment: Readonly<Record<string, string>>): void {
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value.replaceAll('\0', '')}\0`);
    this.send('run', `${variables.join('')}${program}\0`);
  }

  private take({ kind, bytes }: Frame): void {
    const text = bytes.toString('utf8');
    switch (kind) {
      case 'tool':
        this.call.tool = text;
        return;
      case 'arg':
        this.call.args.push(text);
        if (!isUtf8(bytes)) this.unreadable ??= `argument ${String(this.call.args.length)} (${text}) is no UTF-8 text`;
        return;
      case 'env': {
        const equals = text.indexOf('=');
        if (equals > 0) this.call.env[text.slice(0, equals)] = text.slice(equals + 1);
        return;
      }
      case 'cwd':
        this.call.cwd = text;
        return;
      case 'again':
        this.call.isAgain = true;
        return;
      case 'stdin':
        this.input.push(bytes);
        return;
      case 'eof':
        this.whenRead?.(Buffer.concat(this.input.splice(0)));
        return;
      case 'unread':
        this.input.splice(0);
        this.whenRead?.(Buffer.alloc(0), text);
        return;
      case 'end':
        void this.answerCall();
        return;
      default:
        throw new BadFrame(`unknown: ${kind}`);
    }
  }

  private async answerCall(): Promise<void> {
    const { tool, args, env, cwd, isAgain } = this.call;
    if (tool === undefined || this.isAnswered) {
      this.socket.destroy();
      return;
    }
    this.isAnswered = true;
    const tick = setInterval(() => {
      this.send('tick');
    }, TICK_MS);
    try {
      const call = { tool, args, env, isAgain, caller: this, ...(cwd === undefined ? {} : { cwd }) };
      const { unreadable } = this;
      const { stdout, stderr, exitCode } =
        unreadable === undefined ? await this.answer(call) : failedResult(call, new ToolFailure(EXIT.USAGE, unreadable));
      if (stderr !== '') this.send('err', stderr);
      if (stdout !== '') this.send('out', stdout);
      this.socket.end(encodeFrame('exit', String(exitCode)));
    } catch {
      this.socket.end(encodeFrame('exit', String(EXIT.SOFTWARE)));
    } finally {
      clearInterval(tick);
    }
  }

  private send(kind: string, content = ''): void {
    if (this.socket.writable) this.socket.write(encodeFrame(kind, content));
  }
}
