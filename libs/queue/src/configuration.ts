/** Where the queue lives. The two backends behave alike; configuration alone chooses. */
export type QueueBackend = PostgresQueueBackendConfig | RedisQueueBackendConfig;

/** The queue's tables live in a schema of their own (named by the prefix) of this database. */
export interface PostgresQueueBackendConfig {
  readonly backend: 'postgres';
  /** `postgres://user:password@host:port/database`; the role may create a schema, or the schema exists already. */
  readonly databaseUrl: string;
}

/** The queue's keys live in this Redis (7+) or Valkey database, each starting with the prefix and the installation's id. */
export interface RedisQueueBackendConfig {
  readonly backend: 'redis';
  /** `redis://…` or, with TLS, `rediss://…`. */
  readonly redisUrl: string;
  /** Id of whoever's queue it is: several may share a Redis, and none may take another's jobs. */
  readonly installation: string;
}

/** All times in milliseconds. The defaults suit production; tests shorten them. */
export interface QueueTiming {
  /** How long opening the queue or a consumer waits for a backend that is away. */
  readonly connectWithinMs: number;
  /** How long a producer call waits for a backend that is away before it rejects. */
  readonly acceptWithinMs: number;
  /** How long `health()` waits for an answer. */
  readonly healthWithinMs: number;
  /** How long `close()` waits for running jobs and for the backend's goodbye. */
  readonly closeWithinMs: number;
  /** A running job's lock; renewed at half of it. A job whose lock ran out counts as stalled. */
  readonly lockMs: number;
  /** How often consumers look for stalled jobs. A killed worker's job runs again within about lockMs + 2 * stalledCheckMs. */
  readonly stalledCheckMs: number;
  /** Wait before the first retry of a failed job; doubles with each further one. */
  readonly retryBaseMs: number;
  /** Longest wait between two retries of a failed job. */
  readonly retryCapMs: number;
}

export const DEFAULT_TIMING: QueueTiming = {
  connectWithinMs: 30_000,
  acceptWithinMs: 5_000,
  healthWithinMs: 2_000,
  closeWithinMs: 10_000,
  lockMs: 6_000,
  stalledCheckMs: 2_000,
  retryBaseMs: 200,
  retryCapMs: 5_000,
};

/** A job that its handler threw out of, or that stalled too often. */
export interface JobFailure {
  readonly name: string;
  /** The job's data as stored (it may be what could not be read). */
  readonly data: unknown;
  /** 1 for the first run. */
  readonly attempt: number;
  readonly willRetry: boolean;
  readonly error: Error;
}

/** What the queue tells its process; wire these to the logger. None is needed for correctness. */
export interface QueueHooks {
  /** The backend refused or dropped something. Equal messages within 10 s are counted, not repeated. */
  readonly onBackendError?: (error: Error, suppressedBefore: number) => void;
  readonly onJobFailed?: (failure: JobFailure) => void;
  /** A job is run for the first time. @param waitedMs since it was due and in the queue, by the clocks of who asked for it and who runs it; at least 0 */
  readonly onJobBegun?: (waitedMs: number) => void;
  /** A job whose worker vanished was put back and will run again. */
  readonly onJobStalled?: (jobId: string) => void;
}

export interface QueueOptions extends QueueHooks {
  /**
   * Namespace: PostgreSQL schema or Redis key prefix. Lower-case letters, digits and underscores, starting with a letter or underscore, at most
   * 48 characters. Default `systole_queue`.
   */
  readonly prefix?: string;
  readonly timing?: Partial<QueueTiming>;
  /** How often a failing job is tried before it is given up (the next trigger starts anew). Default 100, about eight minutes. */
  readonly attempts?: number;
}

export const DEFAULT_PREFIX = 'systole_queue';
export const DEFAULT_ATTEMPTS = 100;

const PREFIX_PATTERN = /^[a-z_][a-z0-9_]{0,47}$/;

/**
 * The prefix, when it is one that both backends accept.
 * @throws RangeError naming the offending prefix
 */
export function checkedPrefix(prefix: string): string {
  if (!PREFIX_PATTERN.test(prefix)) {
    throw new RangeError(
      `queue prefix ${JSON.stringify(prefix)} is not usable: give 1 to 48 lower-case letters, digits or underscores, not starting with a digit`,
    );
  }
  return prefix;
}
