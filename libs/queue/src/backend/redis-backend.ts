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
