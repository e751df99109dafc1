import pg from 'pg';

/**
 * Limits of every connection of a program that serves (migrations excepted), ms: a process that is frozen in the midst of a transaction must not hold
 * up a cluster for longer. No legitimate work comes near them: whatever reads much does so in pages, and transactions wait for nothing but the database.
 * Whoever waits for a lock outlasts the transaction that idles on it.
 */
export const CONNECTION_LIMITS = {
  statement_timeout: 12_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 5_000,
} as const;

/**
 * What this side waits for a database that says nothing at all, ms: a server that was frozen, or lost its power, a firewall that forgot the connection. It sends no end, and TCP alone goes on
 * trying for a quarter of an hour. A statement is given up after the server would have ended it; its connection is closed then, and whether it took place is not known.
 */
export const PATIENCE = {
  query_timeout: 15_000,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** Of one pool. */
export interface LimitedPoolOptions {
  /** `postgres://user:password@host:port/database` */
  readonly databaseUrl: string;
  /** What the server's list of connections shows. */
  readonly applicationName: string;
  /** A connection broke, or the server ended it; whoever uses it at that moment gets an error as well. Must not throw. */
  readonly onLost?: (reason: string) => void;
  /** Nobody could be given a connection: there is none, none came free in time, or it was not to be used. Must not throw. */
  readonly onRefused?: () => void;
  /** At most; 20 when left out. */
  readonly connections?: number;
  /** Whether statements are sent without waiting for the answers to those before them. */
  readonly pipeline?: boolean;
  /** Instead of some of {@link CONNECTION_LIMITS} and {@link PATIENCE}, ms. */
  readonly limits?: Partial<Record<keyof typeof CONNECTION_LIMITS | 'query_timeout', number>>;
}

/** A pool with {@link CONNECTION_LIMITS} and {@link PATIENCE}. Connections made of its options have them too. */
export function limitedPool({
  databaseUrl,
  applicationName,
  onLost,
  onRefused = () => undefined,
  limits,
  connections = 20,
  pipeline = false,
}: LimitedPoolOptions): pg.Pool {
  const pool = new WatchedPool(onRefused, {
    connectionString: databaseUrl,
    max: connections,
    pipeline,
    application_name: applicationName,
    // Compiling a statement takes longer than any of ours takes to be answered.
    options: '-c jit=off',
    ...CONNECTION_LIMITS,
    ...PATIENCE,
    ...limits,
  });
  // The pool itself listens to idle connections only; one that is cut off in the midst of a transaction would end the process.
  pool.on('connect', (client) => {
    client.on('error', ({ message }) => {
      if (!pool.ending) onLost?.(message);
    });
  });
  pool.on('error', () => undefined);
  return pool;
}

type Connected = Parameters<pg.Pool['connect']>[0];

/** A pool that says when it has no connection to give, to whomever: its own statements connect in the same way. */
class WatchedPool extends pg.Pool {
  constructor(
    private readonly onRefused: () => void,
    config: pg.PoolConfig,
  ) {
    super(config);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) {
      const connecting = super.connect();
      connecting.catch(this.onRefused);
      return connecting;
    }
    super.connect((error, client, release) => {
      if (error !== undefined) this.onRefused();
      callback(error, client, release);
    });
    return undefined;
  }
}
