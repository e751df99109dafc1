import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What becomes of a client's traffic on its way. */
export interface Path {
  /** ms that each piece of data takes longer, in both directions. */
  readonly delayMs: number;
  /** Requests arrive, answers are lost. */
  readonly losesAnswers: boolean;
}

const CLEAR: Path = { delayMs: 0, losesAnswers: false };
const CHECK_MS = 500;
const PATIENCE_MS = 1_000;

/**
 * The address behind which the apis stand, as a load balancer gives it: new connections go by turns to those that say they are ready. A connection that
 * exists stays where it is, whatever becomes of its api. It also is the place where one client's traffic can be delayed, or its answers lost.
 */
export class ServiceAddress {
  private readonly server: Server;
  private readonly ready = new Set<string>();
  private readonly paths = new Map<string, Path>();
  private readonly sockets = new Set<Socket>();
  private readonly ended = new AbortController();
  private turn = 0;

  private constructor(
    private readonly backends: readonly string[],
    private readonly port: number,
  ) {
    this.server = createServer((client) => {
      this.accept(client);
    });
  }

  /** @param backends addresses of the apis, all on this port */
  static async listen(host: string, port: number, backends: readonly string[]): Promise<ServiceAddress> {
    const address = new ServiceAddress(backends, port);
    address.server.listen(port, host);
    await once(address.server, 'listening');
    for (const backend of backends) void address.watch(backend);
    return address;
  }

  get allReady(): boolean {
    return this.ready.size === this.backends.length;
  }

  /** @param client address from which it connects */
  setPath(client: string, path: Path = CLEAR): void {
    this.paths.set(client, path);
  }

  close(): void {
    this.ended.abort();
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private async watch(backend: string): Promise<void> {
    while (!this.ended.signal.aborted) {
      const answer = await fetch(`http://${backend}:${this.port}/health/ready`, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
        () => undefined,
      );
      if (answer?.ok === true) this.ready.add(backend);
      else this.ready.delete(backend);
      await sleep(CHECK_MS, undefined, { signal: this.ended.signal }).catch(() => undefined);
    }
  }

  private accept(client: Socket): void {
    const ready = [...this.ready];
    const backend = ready[this.turn++ % Math.max(ready.length, 1)];
    if (backend === undefined) {
      client.destroy();
      return;
    }
    const api = connect(this.port, backend);
    const path = (): Path => this.paths.get(client.remoteAddress ?? '') ?? CLEAR;
    let lost = false;
    this.carry(client, api, path, () => false);
    // Once a piece is lost nothing after it can be understood: the connection is only good for being given up.
    this.carry(api, client, path, () => (lost ||= path().losesAnswers));
  }

  private carry(from: Socket, to: Socket, path: () => Path, isLost: () => boolean): void {
    this.sockets.add(from);
    let sent = Promise.resolve();
    const inOrder = (deliver: () => void): void => {
      const { delayMs } = path();
      sent = Promise.all([sent, delayMs === 0 ? undefined : sleep(delayMs)]).then(deliver);
    };
    from.on('data', (chunk: Buffer) => {
      if (!isLost()) inOrder(() => to.write(chunk));
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      inOrder(() => to.destroy());
    });
  }
}
