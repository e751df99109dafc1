import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Class of the two-key advisory locks that say "this worker moves this cluster"; ASCII `ADVN`. */
const LOCK_CLASS = 0x4144_564e;
const RETRY_MS = 100;

const TRY_LOCK = 'SELECT pg_try_advisory_lock($1, hashtext($2)) AS done';
const UNLOCK = 'SELECT pg_advisory_unlock($1, hashtext($2)) AS done';

/** Another worker moves the cluster. The job is tried again later. */
export class ClusterBusy extends Error {
  override readonly name = 'ClusterBusy';
  constructor(clusterId: string) {
    super(`another worker is advancing cluster ${clusterId}`);
  }
}

/** The right to move one cluster, for as long as `signal` has not aborted. */
export interface ClusterLock {
  readonly signal: AbortSignal;
  release(): Promise<void>;
}

interface Session {
  /** One statement after the other: a connection takes no more. */
  readonly ask: (statement: string, clusterId: string) => Promise<boolean>;
  readonly client: pg.Client;
  /** Aborts when the connection is lost, and with it every lock that it held. */
  readonly lost: AbortController;
}

/**
 * Advisory locks of one worker, all on one connection of their own: PostgreSQL frees them when the worker dies, and the worker stops acting
 * when the connection dies. The lock saves double work; that nothing is decided twice is ensured by the expected versions of the events.
 */
export class ClusterLocks {
  private session: Promise<Session> | undefined;
  private readonly held = new Set<string>();
  private closed = false;

  constructor(private readonly databaseUrl: string) {}

  /**
   * @param patienceMs how long to wait for another worker
   * @throws ClusterBusy when it has not let go by then
   */
  async acquire(clusterId: string, patienceMs: number): Promise<ClusterLock> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const lock = await this.tryAcquire(clusterId);
      if (lock) return lock;
      if (Date.now() >= deadline) throw new ClusterBusy(clusterId);
      await sleep(RETRY_MS);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const session = await this.session?.catch(() => undefined);
    session?.lost.abort(new Error('the worker is closing'));
    await session?.client.end().catch(() => undefined);
  }

  private async tryAcquire(clusterId: string): Promise<ClusterLock | undefined> {
    // A session may take its own lock again, so this process has to keep itself out.
    if (this.held.has(clusterId)) return undefined;
    this.held.add(clusterId);
    try {
      const session = await this.open();
      if (await session.ask(TRY_LOCK, clusterId)) return { signal: session.lost.signal, release: () => this.release(clusterId, session) };
      this.held.delete(clusterId);
      return undefined;
    } catch (error) {
      this.held.delete(clusterId);
      throw error;
    }
  }

  private async release(clusterId: string, session: Session): Promise<void> {
    try {
      await session.ask(UNLOCK, clusterId);
    } catch {
      // The connection is gone, and the lock with it.
    } finally {
      this.held.delete(clusterId);
    }
  }

  private open(): Promise<Session> {
    if (this.closed) throw new Error('the worker is closing');
    this.session ??= this.connect().catch((error: unknown) => {
      this.session = undefined;
      throw error;
    });
    return this.session;
  }

  private async connect(): Promise<Session> {
    const client = new pg.Client({ connectionString: this.databaseUrl, application_name: 'systole worker locks', keepAlive: true });
    const lost = new AbortController();
    const forget = (): void => {
      lost.abort(new Error('the connection that held the cluster locks was lost'));
      this.session = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    await client.connect();
    return { client, lost, ask: oneByOne(client) };
  }
}

function oneByOne(client: pg.Client): Session['ask'] {
  let last: Promise<unknown> = Promise.resolve();
  return (statement, clusterId) => {
    const mine = last.then(async () => {
      const { rows } = await client.query<{ done: boolean }>(statement, [LOCK_CLASS, clusterId]);
      return rows[0]?.done === true;
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}
