import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { accountFor, postgresIds, type PostgresAccount } from './account.js';
import { findPostgresBinaries, type PostgresBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { runningPostmaster, stopPostmaster } from './postmaster.js';

const DATABASE = 'systole';
/** Held by the process that owns the data directory, for as long as it lives; the number is arbitrary. */
const OWNER_LOCK = 7_236_001;
const STOP_PATIENCE_MS = 8_000;
const LOG_KEEP_BYTES = 16 * 1024 * 1024;

export interface EmbeddedPostgresOptions {
  /** Absolute path; `postgres/`, the password and the log are kept below it. */
  readonly dataDir: string;
  /** Told in words what takes long. */
  readonly progress: (line: string) => void;
}

/** A running embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** URL of the database `systole`, as its superuser. */
  readonly databaseUrl: string;
  readonly pid: number;
  /** Whether the data directory was made by this start. */
  readonly initialised: boolean;
  /** Settles when the server ends, for whatever reason. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, making the database on the first start. A server that a killed Systole left running on it
 * is stopped first.
 *
 * @throws EmbeddedPostgresError when another Systole uses the directory, or the server does not come up.
 */
export async function startEmbeddedPostgres({ dataDir, progress }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = join(dataDir, 'postgres');
  await mkdir(dataDir, { recursive: true });
  const [binaries, ids] = await Promise.all([findPostgresBinaries(), postgresIds()]);
  const account = accountFor(ids, [dataDir, dirname(binaries.postgres)]);
  const password = await passwordOf(dataDir);
  await stopOrphan(directory, password, progress);

  const initialised = !(await exists(join(directory, 'PG_VERSION')));
  if (initialised) {
    progress('First start: preparing the embedded PostgreSQL (a few seconds) ...');
    await initialise(binaries, account, dataDir, directory, password);
  }
  const server = await launch(binaries, account, dataDir, directory, password, progress);
  return { ...server, initialised };
}

async function passwordOf(dataDir: string): Promise<string> {
  const file = join(dataDir, 'postgres-password');
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known !== undefined && known.trim() !== '') return known.trim();
  const password = randomBytes(24).toString('hex');
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  return password;
}

async function stopOrphan(directory: string, password: string, progress: (line: string) => void): Promise<void> {
  const orphan = await runningPostmaster(directory);
  if (!orphan) return;
  const owner = await connect(urlFor(orphan.port, password, 'postgres')).catch(() => undefined);
  if (owner) {
    const owned = await owns(owner);
    await owner.end();
    if (!owned) throw alreadyRunning(directory);
  }
  progress('Stopping the PostgreSQL that an interrupted Systole left running ...');
  await stopPostmaster(orphan.pid, STOP_PATIENCE_MS);
}

function alreadyRunning(directory: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Another Systole is running on ${directory}. Stop it first (Ctrl-C in its terminal), or start this one with --data-dir <another directory> --port <another port>.`,
  );
}

/** Makes the database beside its final place and moves it there, so that an interrupted first start leaves nothing half-made. */
async function initialise(
  { initdb }: PostgresBinaries,
  account: PostgresAccount,
  dataDir: string,
  directory: string,
  password: string,
): Promise<void> {
  const draft = join(dataDir, `postgres.new-${process.pid}`);
  const passwordFile = join(dataDir, `postgres-password.new-${process.pid}`);
  const uid = account.ids?.uid ?? (await postgresIds())?.uid;
  const gid = account.ids?.gid ?? (await postgresIds())?.gid;
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (uid !== undefined && gid !== undefined) for (const path of [draft, passwordFile]) await chown(path, uid, gid);
    const [command, ...args] = commandLine(account, initdb, [
      `--pgdata=${draft}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ]);
    await promisify(execFile)(command, args, { ...account.ids, cwd: '/', env: environment() });
    await chmod(draft, 0o700);
    await rename(draft, directory);
  } catch (cause) {
    if (await exists(join(directory, 'PG_VERSION'))) throw alreadyRunning(directory);
    const detail = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    throw new EmbeddedPostgresError(`The embedded PostgreSQL could not be initialised in ${directory}: ${detail}`, { cause });
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

async function launch(
  { postgres }: PostgresBinaries,
  account: PostgresAccount,
  dataDir: string,
  directory: string,
  password: string,
  progress: (line: string) => void,
): Promise<Omit<EmbeddedPostgres, 'initialised'>> {
  const port = await choosePort(dataDir);
  const logFile = join(dataDir, 'postgres.log');
  const log = await open(logFile, (await sizeOf(logFile)) > LOG_KEEP_BYTES ? 'w' : 'a');
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'log_timezone=UTC'];
  const [command, ...args] = commandLine(account, postgres, ['-D', directory, ...settings.flatMap((setting) => ['-c', setting])]);
  // In a process group of its own: Ctrl-C in the terminal must reach Systole first, which stops the database last.
  const child = spawn(command, args, {
    ...account.ids,
    cwd: '/',
    env: environment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
    child.once('error', () => {
      resolve();
    });
  });
  await log.close();
  const orphaned = (): void => {
    child.kill('SIGINT');
  };
  process.once('exit', orphaned);
  try {
    const owner = await claim(child, port, password, logFile, directory, progress);
    await writeFile(join(dataDir, 'postgres-port'), `${port}\n`);
    return {
      databaseUrl: urlFor(port, password, DATABASE),
      pid: pidOf(child),
      exited: ended,
      stop: async () => {
        process.removeListener('exit', orphaned);
        await owner.end().catch(() => undefined);
        if (child.exitCode === null && child.signalCode === null) await stopPostmaster(pidOf(child), STOP_PATIENCE_MS);
        await ended;
      },
    };
  } catch (error) {
    child.kill('SIGINT');
    await ended;
    process.removeListener('exit', orphaned);
    throw error;
  }
}

/** Waits until the server answers, marks the data directory as owned and makes the database. Returns the connection that holds the mark. */
async function claim(
  child: ChildProcess,
  port: number,
  password: string,
  logFile: string,
  directory: string,
  progress: (line: string) => void,
): Promise<pg.Client> {
  const started = Date.now();
  let told = false;
  for (;;) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
      throw new EmbeddedPostgresError(await failure(directory, logFile));
    const client = await connect(urlFor(port, password, 'postgres')).catch((error: unknown) => {
      if (isWrongPassword(error)) throw new EmbeddedPostgresError(wrongPassword(directory), { cause: error });
      return undefined;
    });
    if (client) {
      if (!(await owns(client))) throw alreadyRunning(directory);
      const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
      if (known.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
      return client;
    }
    if (!told && Date.now() - started > 3_000) {
      told = true;
      progress('Waiting for PostgreSQL (it recovers from an interrupted run) ...');
    }
    await sleep(50);
  }
}

/** Takes the owner's lock; it lasts as long as the connection. */
async function owns(client: pg.Client): Promise<boolean> {
  const answer = await client.query<{ owned: boolean }>('SELECT pg_try_advisory_lock($1) AS owned', [OWNER_LOCK]);
  return answer.rows[0]?.owned === true;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'systole owner',
    keepAlive: true,
  });
  // A connection that ends with the server is no news here: the server's own end is watched.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '28P01';
}

const wrongPassword = (directory: string): string =>
  `The password in ${join(directory, '..', 'postgres-password')} is not the one of the database in ${directory}. ` +
  'Restore that file, or move the data directory away to begin anew.';

async function failure(directory: string, logFile: string): Promise<string> {
  const tail = (await readFile(logFile, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-5).join('\n  ');
  const hint = tail.includes('database files are incompatible with server')
    ? 'The data directory is of another PostgreSQL version: dump it with that version and load it into a new --data-dir.'
    : `The whole log is in ${logFile}.`;
  return `The embedded PostgreSQL on ${directory} did not start. Its last words:\n  ${tail}\n${hint}`;
}

/** The port of last time when it is free, else any free one. */
async function choosePort(dataDir: string): Promise<number> {
  const remembered = Number.parseInt(await readFile(join(dataDir, 'postgres-port'), 'utf8').catch(() => ''), 10);
  if (Number.isInteger(remembered)) {
    const free = await tryPort(remembered);
    if (free !== undefined) return free;
  }
  const port = await tryPort(0);
  if (port === undefined) throw new EmbeddedPostgresError('No free port on 127.0.0.1 for the embedded PostgreSQL.');
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(undefined);
    });
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : undefined);
      });
    });
  });
}

function commandLine(account: PostgresAccount, program: string, args: readonly string[]): [string, ...string[]] {
  const [first, ...rest] = account.prefix;
  return first === undefined ? [program, ...args] : [first, ...rest, program, ...args];
}

/** Nothing of the caller's PG* variables may leak into the server. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

function urlFor(port: number, password: string, database: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new EmbeddedPostgresError('PostgreSQL was not started.');
  return child.pid;
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
