import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: { readonly type: string; readonly timestamp: string; readonly data: Readonly<Record<string, unknown>> };
}

/** How it is answered. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly afterMs?: number;
}

/** A server that webhooks are posted to. */
export class Receiver {
  readonly received: Received[] = [];
  /** Requests that it was answering at the same time, at most. */
  mostAtOnce = 0;
  #now = 0;

  private constructor(
    readonly server: Server,
    readonly url: string,
  ) {}

  /** @param reply to each, by what came and the how manieth it is, from 1 @param tls certificate and key in PEM */
  static async open(
    reply: (received: Received, number: number) => Reply = () => ({ status: 204 }),
    tls?: { readonly cert: Buffer; readonly key: Buffer },
  ): Promise<Receiver> {
    const listener: RequestListener = (request, response) => {
      void (async () => {
        receiver.#now += 1;
        receiver.mostAtOnce = Math.max(receiver.mostAtOnce, receiver.#now);
        let body = '';
        for await (const piece of request) body += String(piece);
        const received = { path: request.url ?? '', headers: request.headers, body, json: JSON.parse(body || '{}') as Received['json'] };
        receiver.received.push(received);
        const { status, headers = {}, body: text = '', afterMs = 0 } = reply(received, receiver.received.length);
        if (afterMs > 0) await sleep(afterMs);
        response.writeHead(status, headers).end(text);
        receiver.#now -= 1;
      })();
    };
    const server = tls === undefined ? createServer(listener) : (createSecureServer(tls, listener) as Server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(server, `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${String(port)}`);
    return receiver;
  }

  /** What came of events, as `stream@version`. */
  get events(): readonly string[] {
    return this.received.map(({ json: { data } }) => `${String(data['streamId'])}@${String(data['version'])}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
