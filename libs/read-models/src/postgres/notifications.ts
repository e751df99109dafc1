import pg from 'pg';

const RECONNECT_MS = 500;

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
    });
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.options.onPayload(payload);
    });
    client.on('error', () => undefined);
    client.on('end', () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#reconnect();
    });
    try {
      await client.connect();
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
