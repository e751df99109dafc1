import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A way to a database on which connections can fall silent: neither side hears anything of the other any more, nor of an end, as when a machine loses its power or a firewall forgets what it let
 * through. New connections work.
 */
export class FallingSilent {
  readonly #pairs = new Set<readonly [Socket, Socket]>();

  private constructor(
    private readonly server: Server,
    /** The database's, by this way. */
    readonly url: string,
  ) {}

  /** @param databaseUrl `postgres://user@host:port/database` */
  static async before(databaseUrl: string): Promise<FallingSilent> {
    const url = new URL(databaseUrl);
    const [host, port] = [url.hostname, Number(url.port || 5432)];
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const way = new FallingSilent(server, url.href);
    server.on('connection', (near) => {
      way.#join(near, connect(port, host));
    });
    return way;
  }

  /** All connections that are there fall silent, for ever. */
  fallSilent(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe();
      far.unpipe();
      near.pause();
      far.pause();
    }
  }

  async close(): Promise<void> {
    for (const sockets of this.#pairs) for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #join(near: Socket, far: Socket): void {
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    near.pipe(far);
    far.pipe(near);
    for (const socket of pair) socket.on('error', () => undefined);
  }
}
