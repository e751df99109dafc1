import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '@systole/examples';
import pg from 'pg';
import { freePort } from '@systole/queue/testing';
import { cpuOf, cpuOfFamily, proportionalMibOfFamily, residentMib } from './process-times.js';
import { removeWithRun } from './interrupted.js';
import { ServerProcess } from './server-process.js';

/** How a server is started for a measurement. */
export interface ServedOptions {
  /** Where its profiles go (`--cpu-prof`); absent: none are made. */
  readonly profiles?: string;
  /** Where its data are; absent: in a new directory, which is removed in the end. */
  readonly directory?: string;
}

/** CPU time so far, ms. */
export interface CpuTimes {
  readonly server: number;
  readonly postgresql: number;
}

/** MiB. */
export interface Memory {
  readonly server: number;
  readonly postgresql: number;
}

/** How often a thread of the server came to nothing else for so long, by the bounds that the metrics have, ms: each as often as for that long or less. */
export type Pauses = ReadonlyMap<number, number>;

/** What the longest pause between two looks lasted at most, ms; 0 when there was none. */
export function longestPause(before: Pauses, after: Pauses): number {
  const since = [...after].map(([bound, times]) => [bound, times - (before.get(bound) ?? 0)] as const);
  const all = since.at(-1)?.[1] ?? 0;
  return all === 0 ? 0 : (since.find(([, times]) => times === all)?.[0] ?? Number.NaN);
}

/** The database of what is served. */
export interface MeasuredDatabase {
  readonly url: () => Promise<string>;
  /** Of its first process. */
  readonly pid: () => Promise<number>;
  /** Ends what was started for it and removes what it kept. */
  readonly dispose: () => Promise<void>;
}

const { SYSTOLE_LEASE_MS: leaseMs, SYSTOLE_WARM_UP: warmUp } = process.env;

/**
 * Leases, and whether it makes itself quick, as this program's environment has them; and limits that these measurements lift: thousands of agents share one machine here, one person makes thousands of clusters and tokens in a minute, and monitors find something
 * else each time.
 */
export const ENVIRONMENT = {
  SYSTOLE_ADMIN_TOKEN: 'an-admin-token-for-the-measurements',
  SYSTOLE_REQUESTS_PER_SECOND: '100000',
  SYSTOLE_CONNECTIONS: '100000',
  SYSTOLE_NODE_DISTURBANCES: '100000',
  LOG_LEVEL: 'warn',
  ...(leaseMs === undefined ? {} : { SYSTOLE_LEASE_MS: leaseMs }),
  ...(warmUp === undefined ? {} : { SYSTOLE_WARM_UP: warmUp }),
} as const;

/** A directory for data of a server. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'systole-bench-service-'));
  removeWithRun(directory);
  return directory;
}

/** The product while it is measured: its processes and their database. */
export class Served {
  /**
   * @param urls base URLs of its apis
   * @param processes of the product, the first api first
   */
  constructor(
    readonly urls: readonly string[],
    readonly processes: readonly ServerProcess[],
    private readonly database: MeasuredDatabase,
  ) {}

  /** As `npm start` runs it: api and worker in one process, which starts a PostgreSQL of its own. */
  static async start({ profiles, directory: given }: ServedOptions = {}): Promise<Served> {
    const directory = given ?? newDirectory();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = join(checkout, 'bin/dist/start.js');
    const process = await ServerProcess.start({
      command: [program, '--port', String(port), '--data-dir', directory],
      environment: ENVIRONMENT,
      ...(profiles === undefined ? {} : { profiles }),
    });
    const dispose = async (): Promise<void> => {
      if (given === undefined) await rm(directory, { recursive: true, force: true });
    };
    const served = new Served([url], [process], { ...embeddedDatabase(directory), dispose });
    try {
      await process.ready(url);
      return served;
    } catch (error) {
      await served.stop();
      throw error;
    }
  }

  /** Base URL for whoever asks one api only. */
  get url(): string {
    return this.urls[0] ?? '';
  }

  get adminToken(): string {
    return ENVIRONMENT.SYSTOLE_ADMIN_TOKEN;
  }

  /** What the processes wrote last. */
  get log(): string {
    return this.processes.map(({ log }) => log).join('');
  }

  /** From the start of the first process until it was ready. */
  get readyAfterMs(): number {
    return this.processes[0]?.readyAfterMs ?? Number.NaN;
  }

  async cpu(): Promise<CpuTimes> {
    return { server: sum(this.processes, ({ pid }) => cpuOf(pid)), postgresql: cpuOfFamily(await this.database.pid()) };
  }

  async memory(): Promise<Memory> {
    const postgresql = proportionalMibOfFamily(await this.database.pid());
    return { server: sum(this.processes, ({ pid }) => residentMib(pid)), postgresql };
  }

  /** @param loop of the first api: `main`, the thread that serves agents and, where worker and api are one process, moves clusters, or `operators`, that which serves everybody else */
  async pauses(loop: 'main' | 'operators' = 'main'): Promise<Pauses> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const counts = text.matchAll(/^systole_event_loop_pauses_seconds_bucket\{le="([^"]+)",loop="(\w+)"\} (\d+)$/gm);
    const ofLoop = [...counts].filter(([, , of]) => of === loop);
    return new Map(ofLoop.map(([, bound = '', , times]) => [Number(bound.replace('+Inf', 'Infinity')) * 1_000, Number(times)]));
  }

  /** Of the server's database, for whoever works on it past the server. */
  databaseUrl(): Promise<string> {
    return this.database.url();
  }

  /** Asks the server's database, past the server. */
  async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: await this.databaseUrl() });
    await client.connect();
    try {
      return (await client.query<Row>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  async noteProfiled(end: 'from' | 'to'): Promise<void> {
    await Promise.all(this.processes.map((process) => process.noteProfiled(end)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.end()));
    await this.database.dispose();
  }
}

/** Where the embedded PostgreSQL of a data directory is found. */
function embeddedDatabase(directory: string): Pick<MeasuredDatabase, 'url' | 'pid'> {
  const read = async (...path: string[]): Promise<string> => (await readFile(join(directory, ...path), 'utf8')).trim();
  return {
    url: async () => `postgres://postgres:${await read('postgres-password')}@127.0.0.1:${await read('postgres-port')}/systole`,
    pid: async () => Number((await read('postgres', 'postmaster.pid')).split('\n')[0]),
  };
}

function sum<T>(all: readonly T[], value: (one: T) => number): number {
  return all.reduce((total, one) => total + value(one), 0);
}
