import { Client, type Dispatcher } from 'undici';

/** What came back from a server. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Two connections, as an agent has that reports while its poll waits: each is opened when it is needed and kept. */
const CONNECTIONS = { poll: 'polls', join: 'polls', results: 'reports' } as const;

export type AgentMessage = keyof typeof CONNECTIONS;

interface Way {
  readonly polls: Client;
  readonly reports: Client;
}

/** An agent's way to its servers: HTTP with keep-alive, from an address of its own. */
export class AgentConnection {
  private readonly headers: readonly string[];
  private readonly ways: readonly Way[];
  private current = 0;

  /**
   * @param urls base URLs of the servers; the first one is asked first
   * @param localAddress from which it connects
   */
  constructor(urls: readonly string[], token: string, localAddress: string) {
    this.headers = ['authorization', `Bearer ${token}`, 'accept', 'application/json', 'content-type', 'application/json'];
    const client = (url: string): Client => new Client(url, { localAddress, pipelining: 1 });
    this.ways = urls.map((url) => ({ polls: client(url), reports: client(url) }));
  }

  /** @throws {Error} when there was no answer within that time, ms */
  send(message: AgentMessage, body: string, timeoutMs: number): Promise<Reply> {
    const way = this.ways[this.current];
    if (way === undefined) return Promise.reject(new Error('no server is known'));
    return new Promise((resolve, reject) => {
      way[CONNECTIONS[message]].dispatch(
        {
          path: `/v1/agent/${message}`,
          method: 'POST',
          headers: [...this.headers],
          body,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        },
        new ReplyReader(resolve, reject),
      );
    });
  }

  /** The next one of the servers is asked from now on. */
  nextServer(): void {
    this.current = (this.current + 1) % this.ways.length;
  }

  async close(): Promise<void> {
    await Promise.all(this.ways.flatMap(({ polls, reports }) => [polls.destroy(), reports.destroy()]));
  }
}

class ReplyReader implements Dispatcher.DispatchHandler {
  private status = 0;
  private readonly chunks: Buffer[] = [];

  constructor(
    private readonly resolve: (reply: Reply) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  onRequestStart(): void {
    // Nothing to prepare: undici tells by this method that the others are known.
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.status = status;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.chunks;
    const text = first !== undefined && this.chunks.length === 1 ? first.toString() : Buffer.concat(this.chunks).toString();
    this.resolve({ status: this.status, text });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
  }
}
