import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookProgress } from './webhook-progress.entity.js';
import { Webhook } from './webhook.entity.js';

/**
 * TypeORM on a pool that is there: its statements take its connections, with its limits and its checks that it is still the same database, and none of their own. The pool stays the caller's. The schema is
 * that of the migrations, never TypeORM's own.
 *
 * @throws what PostgreSQL says when it can't be reached
 */
export async function dataSourceOn(pool: Pool): Promise<DataSource> {
  return new DataSource({
    type: 'postgres',
    entities: [Webhook, WebhookProgress, WebhookDelivery],
    driver: { Pool: borrowed(pool) },
    installExtensions: false,
    logging: false,
    synchronize: false,
  }).initialize();
}

type Connected = Parameters<Pool['connect']>[0];

/** What TypeORM makes a pool of and asks of it. */
function borrowed(pool: Pool) {
  return class BorrowedPool {
    connect(callback: Connected): void {
      pool.connect(callback);
    }

    /** The pool's owner listens. */
    on(): this {
      return this;
    }

    end(callback: () => void): void {
      callback();
    }
  };
}
