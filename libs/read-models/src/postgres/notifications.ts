import { checked } from '@systole/event-store';
import pg from 'pg';

const RECONNECT_MS = 500;
/** A connection on which nothing is said for long may be one that nobody is at the other end of: it is asked so often, and has to answer within so long, ms. */
const ASKED_EVERY_MS = 5_000;
const ANSWERED_WITHIN_MS = 5_000;

export interface NotificationsOptions {
  /** Settings of the connection, e.g. `pool.options`. */
  readonly connection: pg.ClientConfig;
  readonly channel: string;
  /** Gets each payload. Must not throw. */
  readonly onPayload: (payload: string) => void;
  /** The connection is back after it was lost: notifications may have been missed. Must not throw. */
  readonly onResumed?: () => void;
}

/** One connection that LISTENs on one channel, opened again when it is lost. Notifications sent meanwhile are lost: look again at what they announce. */
export class Notifications {
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(private readonly options: NotificationsOptions) {}

  /** Resolves when listening has begun. @throws what `pg` throws when the first connection fails */
  static async open(options: NotificationsOptions): Promise<Notifications> {
    const notifications = new Notifications(options);
    await notifications.#connect();
    return notifications;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#asking);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const { host, port, user, password, database, ssl, connectionString } = this.options.connection;
    const client = new pg.Client({
      ...(connectionString === undefined ? { host, port, user, password, database, ssl } : { connectionString, ssl }),
      application_name: `systole-listen-${this.options.channel}`,
      keepAlive: true,
      connectionTimeoutMillis: ANSWERED_WITHIN_MS,
      query_timeout: ANSWERED_WITHIN_MS,
    });
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.options.onPayload(payload);
    });
    client.on('error', () => undefined);
    client.on('end', () => {
      if (this.#client !== client) return;
      clearInterval(this.#asking);
      this.#client = undefined;
      this.#reconnect();
    });
    try {
      await client.connect();
      await checked(client, this.options.connection);
      await client.query(`LISTEN ${pg.escapeIdentifier(this.options.channel)}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    if (this.#closed) {
      await client.end().catch(() => undefined);
      return;
    }
    this.#client = client;
    this.#asking = setInterval(() => {
      // It ends, and is opened anew.
      client.query('SELECT 1').catch(() => client.end().catch(() => undefined));
    }, ASKED_EVERY_MS);
    this.#asking.unref();
  }

  #reconnect(): void {
    if (this.#closed) return;
    this.#retry = setTimeout(() => {
      this.#connect().then(
        () => this.options.onResumed?.(),
        () => {
          this.#reconnect();
        },
      );
    }, RECONNECT_MS);
    this.#retry.unref();
  }
}
