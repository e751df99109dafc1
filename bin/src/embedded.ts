import { access, constants, mkdir } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { createApi, type Api, type ApiConfig } from '@systole/api';
import { migrate } from '@systole/migrations';
import { AccessTokens } from '@systole/access';
import { ensureKeyFile, SharedStates } from '@systole/control-plane-postgres';
import { beginWhenConnectionsAreFree } from '@systole/event-store';
import { createWorker } from '@systole/worker';
import pg from 'pg';
import { urlsFromElsewhere } from './addresses.js';
import { calledAs } from './called-as.js';
import type { PartSettings } from './part-settings.js';
import { startEmbeddedPostgres } from './postgres/embedded-postgres.js';
import { refusalOf, StartFailure } from './start-failure.js';

/** How to start Systole in one process. */
export interface EmbeddedOptions {
  /** Where the embedded PostgreSQL keeps its data; default `./data`. */
  readonly dataDir?: string;
  /** Port of the HTTP server; default 3000; 0: any free one. */
  readonly port?: number;
  /** Address that the HTTP server listens on; default 127.0.0.1. */
  readonly host?: string;
  /** A PostgreSQL server to use instead of the embedded one. */
  readonly databaseUrl?: string;
  /** A Redis server for the queue; default: the queue lives in the database. */
  readonly redisUrl?: string;
  /** pino level of the api and the worker; default `info`. */
  readonly logLevel?: string;
  /** Secret of an admin token to be stored; default: one is made at the first start. */
  readonly adminToken?: string;
  /** Makes another admin token, for whoever has lost theirs; those that there are stay valid. */
  readonly newAdminToken?: boolean;
  /** Length of the agents' leases, ms. */
  readonly leaseMs?: number;
  /** Settings of the api and the worker of their own; default: theirs. */
  readonly parts?: PartSettings;
  /** Whether it makes itself quick in the time that it has to spare, unless the settings of its parts say not to; for programs that stay. Default: no. */
  readonly warmUp?: boolean;
  /** Is told in words what takes long at the start; default: nobody. */
  readonly progress?: (line: string) => void;
}

/** A running Systole. */
export interface Embedded {
  /** Base URL of the HTTP server that can be opened on this machine, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Present when it listens on all addresses: base URLs for other machines. */
  readonly fromElsewhere?: readonly string[];
  readonly databaseUrl: string;
  /** Secret of the admin token that this start made, or was given. It is stored hashed and cannot be had again. */
  readonly adminToken?: string;
  /** Rejects when the embedded PostgreSQL ends by itself; never settles otherwise. */
  readonly failed: Promise<never>;
  /** Stops the api, the worker and the embedded PostgreSQL, in that order. */
  stop(): Promise<void>;
}

/** Where the api and the worker find their database. */
interface Database {
  readonly url: string;
  /** With the keys for secrets; a database that is elsewhere has none of its own. */
  readonly secretsKeyFile?: string;
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts everything that Systole needs in this process: PostgreSQL (as a child process), the schema, the api and the worker.
 *
 * @throws StartFailure when the data directory, the database or the port can not be used; EmbeddedPostgresError when another Systole uses the
 * data directory, or PostgreSQL does not start; whatever else the api and the worker throw. Nothing is left running then.
 */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<Embedded> {
  const progress = options.progress ?? (() => undefined);
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    const database = await provideDatabase(options, progress);
    stops.push(() => database.stop());
    const done = await migrate(database.url, { onWait: progress });
    if (done.length > 0) progress('The database schema is up to date.');

    let made = options.newAdminToken === true ? await makeAdminToken(database.url) : undefined;
    const servers = {
      databaseUrl: database.url,
      ...(options.redisUrl === undefined ? {} : { redisUrl: options.redisUrl }),
      logLevel: options.logLevel ?? 'info',
    };
    const states = await sharedStates(servers.databaseUrl, options.parts, progress);
    stops.push(() => states.close());
    const kept = database.secretsKeyFile === undefined ? {} : { secretsKeyFile: database.secretsKeyFile };
    const warmUp = options.warmUp === true && options.parts?.worker.warmUp !== false;
    const worker = await createWorker({ ...servers, ...kept, ...options.parts?.worker, states, warmUp });
    stops.push(() => worker.close());
    const api = await listening(options, {
      ...servers,
      ...(options.adminToken === undefined ? {} : { adminToken: options.adminToken }),
      ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
      ...kept,
      ...options.parts?.api,
      states,
      warmUp,
      otherMetrics: () => worker.metrics(),
      onAdminToken: (secret) => {
        made = secret;
      },
    });
    stops.push(() => api.close());
    if (warmUp) void worker.warmUp();
    const adminToken = made ?? options.adminToken;
    const failed = endOf(database, () => stops.length === 0);
    // Whoever does not look at it must not be ended by it.
    failed.catch(() => undefined);
    const { protocol, port } = new URL(api.url);
    const fromElsewhere = urlsFromElsewhere(protocol, options.host ?? DEFAULT_HOST, port, networkInterfaces());
    return {
      url: api.url,
      ...(fromElsewhere === undefined ? {} : { fromElsewhere }),
      databaseUrl: database.url,
      ...(adminToken === undefined ? {} : { adminToken }),
      failed,
      stop: stopAll,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

const DEFAULT_PORT = 3000;
const DEFAULT_HOST = '127.0.0.1';

async function listening({ port = DEFAULT_PORT, host = DEFAULT_HOST }: EmbeddedOptions, config: ApiConfig): Promise<Api> {
  try {
    return await createApi({ ...config, operatorsApart: true, port, host });
  } catch (cause) {
    const { code, syscall } = refusalOf(cause) ?? {};
    const unknownHost = cause instanceof Error && 'hostname' in cause && cause.hostname === host;
    if (code === undefined || (syscall !== 'listen' && !unknownHost)) throw cause;
    const advice = `Choose another one: ${calledAs()} --port <port>, or another address: --host <address>`;
    throw new StartFailure(`Port ${port} of ${host} can not be used (${code}). ${advice}`, { cause });
  }
}

/** The api and the worker read the same clusters in one thread: each is kept, and carried on, once for both. */
function sharedStates(databaseUrl: string, parts: PartSettings | undefined, progress: (line: string) => void): Promise<SharedStates> {
  const cachedBytes = parts?.worker.cachedStatesBytes;
  const report = {
    warn: (_: object, reason: string) => {
      progress(reason);
    },
  };
  const options = { databaseUrl, report, ...(cachedBytes === undefined ? {} : { cachedBytes }) };
  return beginWhenConnectionsAreFree(() => SharedStates.open(options), { tell: progress });
}

/** Whoever may read the database's password may administer Systole. */
async function makeAdminToken(databaseUrl: string): Promise<string> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const { secret } = await new AccessTokens(pool).createAdmin('--new-admin-token');
    return secret;
  } finally {
    await pool.end();
  }
}

async function provideDatabase(options: EmbeddedOptions, progress: (line: string) => void): Promise<Database> {
  const { databaseUrl } = options;
  if (databaseUrl !== undefined) {
    await checkReachable(databaseUrl);
    return { url: databaseUrl, exited: new Promise(() => undefined), stop: () => Promise.resolve() };
  }
  const dataDir = resolve(options.dataDir ?? 'data');
  await prepare(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, progress });
  const secretsKeyFile = join(dataDir, 'secrets.key');
  await ensureKeyFile(secretsKeyFile);
  return { url: server.databaseUrl, secretsKeyFile, exited: server.exited, stop: () => server.stop() };
}

async function checkReachable(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartFailure(`The database at ${client.host}:${client.port} can not be reached (${reason}). Check DATABASE_URL.`, { cause });
  } finally {
    await client.end();
  }
}

async function prepare(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const refusal = refusalOf(cause);
    if (refusal === undefined) throw cause;
    const advice = `Choose one that this user may write to: ${calledAs()} --data-dir <directory>, or set DATABASE_URL.`;
    throw new StartFailure(`The data directory ${dataDir} can not be used (${refusal.code}). ${advice}`, { cause });
  }
}

async function endOf(database: Database, stopping: () => boolean): Promise<never> {
  await database.exited;
  if (stopping()) return new Promise<never>(() => undefined);
  throw new Error('the embedded PostgreSQL ended unexpectedly: its last words are in postgres.log in the data directory');
}
