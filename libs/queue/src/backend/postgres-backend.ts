import { PostgresConnection, PostgresQueueBackend, type BackendFactory, type IQueueBackend } from 'bullmq';
import type { PostgresQueueBackendConfig, QueueBackend } from '../configuration.js';

/** Pause after a failed fetch: BullMQ itself asks again at once unless the connection was refused. */
const FETCH_ERROR_PAUSE_MS = 250;
/** An idle consumer looks at the tables this often (s) even if no notification reached it. */
const LONGEST_BLIND_WAIT_S = 5;
/** SQLSTATEs that mean that the queue's schema is gone: undefined table, function, type, schema. */
const SCHEMA_GONE = new Set(['42P01', '42883', '42704', '3F000']);

/**
 * BullMQ's PostgreSQL backend, made to survive what a cluster manager's queue must survive: it recreates its schema when that was dropped, never
 * spins while the server is away, and never relies on a notification alone.
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

  override async addJob(...args: Parameters<PostgresQueueBackend['addJob']>): Promise<string> {
    return this.repairing(super.addJob(...args));
  }

  override async moveToActive(...args: Parameters<PostgresQueueBackend['moveToActive']>): ReturnType<PostgresQueueBackend['moveToActive']> {
    try {
      return await this.repairing(super.moveToActive(...args));
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, FETCH_ERROR_PAUSE_MS));
      throw error;
    }
  }

  private async repairing<T>(operation: Promise<T>): Promise<T> {
    try {
      return await operation;
    } catch (error) {
      if (isSchemaGone(error) && this.closing === undefined) await this.recreateSchema();
      throw error;
    }
  }
}

/** Backends whose tables live in the schema `schema` of the configured database; each has a small pool and, to consume, a LISTEN connection. */
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
    max: 4,
    connectionTimeoutMillis: 3_000,
    query_timeout: 15_000,
    keepAlive: true,
    application_name: 'systole-queue',
  });
}

function isSchemaGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && SCHEMA_GONE.has(error.code);
}
