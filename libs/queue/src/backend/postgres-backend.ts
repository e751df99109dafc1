import { PostgresConnection, PostgresQueueBackend, type BackendFactory, type IQueueBackend } from 'bullmq';
import type { PostgresQueueBackendConfig, QueueBackend } from '../configuration.js';

/** Pause after a failed fetch: BullMQ itself asks again at once unless the connection was refused. */
const FETCH_ERROR_PAUSE_MS = 250;
/** An idle consumer looks at the tables this often (s) even if no notification reached it. */
const LONGEST_BLIND_WAIT_S = 5;
/** SQLSTATEs that mean that the queue's schema is gone: undefined table, function, type, schema. */
const SCHEMA_GONE = new Set(['42P01', '42883', '42704', '3F000']);
/** SQLSTATEs of a statement that the server undid whole because of another one beside it: deadlock detected, serialization failure. */
const UNDONE = new Set(['40P01', '40001']);
/** How often such a statement is sent again; each time the server lets at least one of those in the deadlock through. */
const TRIES_AFTER_DEADLOCK = 20;

type Base = PostgresQueueBackend;

/**
 * BullMQ's PostgreSQL backend, made to survive what a cluster manager's queue must survive: it recreates its schema when that was dropped, never
 * spins while the server is away, never relies on a notification alone, and repeats what the server undid because of a deadlock. (Consumers that
 * look for due timers at the same moment lock their rows in any order; to BullMQ a job whose completion was undone is a job that failed, so it would
 * run twice.)
 */
class ResilientPostgresBackend extends PostgresQueueBackend {
  constructor(
    connection: PostgresConnection,
    name: string,
    options: ConstructorParameters<typeof PostgresQueueBackend>[2],
    private readonly recreateSchema: () => Promise<void>,
    listenClientName?: string,
  ) {
    super(connection, name, options, true, listenClientName);
  }

  override get maximumBlockTimeout(): number {
    return LONGEST_BLIND_WAIT_S;
  }

  override async addJob(...args: Parameters<Base['addJob']>): Promise<string> {
    return this.repairing(() => super.addJob(...args));
  }

  override async moveToActive(...args: Parameters<Base['moveToActive']>): ReturnType<Base['moveToActive']> {
    try {
      return await this.repairing(() => super.moveToActive(...args));
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, FETCH_ERROR_PAUSE_MS));
      throw error;
    }
  }

  override moveToCompleted(...args: Parameters<Base['moveToCompleted']>): ReturnType<Base['moveToCompleted']> {
    return throughDeadlocks(() => super.moveToCompleted(...args));
  }

  override moveToFailed(...args: Parameters<Base['moveToFailed']>): ReturnType<Base['moveToFailed']> {
    return throughDeadlocks(() => super.moveToFailed(...args));
  }

  override moveToDelayed(...args: Parameters<Base['moveToDelayed']>): ReturnType<Base['moveToDelayed']> {
    return throughDeadlocks(() => super.moveToDelayed(...args));
  }

  override retryJob(...args: Parameters<Base['retryJob']>): ReturnType<Base['retryJob']> {
    return throughDeadlocks(() => super.retryJob(...args));
  }

  override moveStalledJobsToWait(): ReturnType<Base['moveStalledJobsToWait']> {
    return throughDeadlocks(() => super.moveStalledJobsToWait());
  }

  override remove(...args: Parameters<Base['remove']>): ReturnType<Base['remove']> {
    return throughDeadlocks(() => super.remove(...args));
  }

  private async repairing<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await throughDeadlocks(operation);
    } catch (error) {
      if (SCHEMA_GONE.has(sqlState(error)) && this.closing === undefined) await this.recreateSchema();
      throw error;
    }
  }
}

/** Each operation of the backend is one statement, so one transaction: what the server undid has left nothing behind and can be sent again. */
async function throughDeadlocks<T>(operation: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await operation();
    } catch (error) {
      if (tries > TRIES_AFTER_DEADLOCK || !UNDONE.has(sqlState(error))) throw error;
    }
  }
}

/** Backends whose tables live in the schema `schema` of the configured database; each has one connection and, to consume, a LISTEN connection. */
export function postgresBackendFactory(config: PostgresQueueBackendConfig, schema: string): BackendFactory<IQueueBackend, QueueBackend> {
  return (name, options, role = {}) => {
    return new ResilientPostgresBackend(
      connect(config, schema),
      name,
      { ...options, connection: config.databaseUrl },
      () => createSchema(config, schema),
      role.withBlockingConnection === true ? name : undefined,
    );
  };
}

/** Creates or upgrades the queue's tables; safe when several processes do so at once (BullMQ holds an advisory lock). */
async function createSchema(config: PostgresQueueBackendConfig, schema: string): Promise<void> {
  const connection = connect(config, schema);
  try {
    await connection.waitUntilReady();
  } finally {
    await connection.close();
  }
}

function connect(config: PostgresQueueBackendConfig, schema: string): PostgresConnection {
  return new PostgresConnection({
    connectionString: config.databaseUrl,
    schema,
    migrate: true,
    // Each operation is one statement, and the wait for work has a connection of its own.
    max: 1,
    connectionTimeoutMillis: 3_000,
    query_timeout: 15_000,
    keepAlive: true,
    application_name: 'systole-queue',
  });
}

/** The SQLSTATE that the server gave, or an empty text. */
function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
