import { QueueKeys, RedisConnection, RedisQueueBackend, type BackendFactory, type IQueueBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { QueueBackend, QueueTiming, RedisQueueBackendConfig } from '../configuration.js';

/** A client that ends when told to while it waits to reconnect; ioredis (5.11) then falls silent, and whoever waits for its `end` hangs. */
class EndableRedis extends Redis {
  override disconnect(reconnect = false): void {
    super.disconnect(reconnect);
    if (reconnect || this.status !== 'reconnecting') return;
    this.connect().catch(() => undefined);
    super.disconnect(false);
  }
}

/**
 * Backends on the configured Redis. A producer's command that the server does not take is given back soon (the caller decides whether to try again); a
 * consumer's commands wait for the server to come back, however long that takes.
 */
export function redisBackendFactory(
  config: RedisQueueBackendConfig,
  prefix: string,
  timing: QueueTiming,
): BackendFactory<IQueueBackend, QueueBackend> {
  const client = (options: RedisOptions): Redis =>
    new EndableRedis(config.redisUrl, {
      connectionName: 'systole-queue',
      connectTimeout: 3_000,
      keepAlive: 10_000,
      retryStrategy: (attempt) => Math.min(100 * attempt, 1_000),
      ...options,
    });
  return (name, options, role = {}) => {
    const consuming = role.withBlockingConnection === true;
    const keys = new QueueKeys(prefix);
    return new RedisQueueBackend(
      new RedisConnection(
        client(consuming ? { maxRetriesPerRequest: null } : { maxRetriesPerRequest: 1, commandTimeout: timing.acceptWithinMs }),
        {
          blocking: false,
        },
      ),
      name,
      keys.getKeys(name),
      (type) => keys.toKey(name, type),
      { ...options, connection: {} },
      consuming ? new RedisConnection(client({ maxRetriesPerRequest: null }), { blocking: true }) : undefined,
    );
  };
}

/** Answers, and takes no writes: out of memory, made a replica, unable to save. */
export class RedisRefusesWrites extends Error {
  override readonly name = 'RedisRefusesWrites';
}

/** How long what is written to see whether a server takes writes stays there, ms. */
const TRIAL_MS = 60_000;

/**
 * Writes something that nobody reads, where the backend is a Redis: one that is out of memory or was made a replica answers all that is asked of it.
 *
 * @throws {RedisRefusesWrites} with what it says; whatever the client says when nothing comes back
 */
export async function tryWriting(backend: IQueueBackend, prefix: string): Promise<void> {
  if (!(backend instanceof RedisQueueBackend)) return;
  const client = await backend.client;
  try {
    await client.set(`${prefix}:takes-writes`, '1', { PX: TRIAL_MS });
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') throw new RedisRefusesWrites(error.message, { cause: error });
    throw error;
  }
}
