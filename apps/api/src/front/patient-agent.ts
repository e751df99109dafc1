import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { FairLine } from '@systole/access';

/** How often those that wait try again, ms. */
const AGAIN_EVERY_MS = 20;
/** How long a connection is tried for, ms: as long as a request waits for a thread that is being started. */
const PATIENCE_MS = 30_000;

/** For whom a connection is made, as the options of a request say it. */
export interface OwnedRequest extends ClientRequestArgs {
  /** Takes turns with others: a token, or an address. */
  readonly owner: string;
}

interface Waiting {
  readonly owner: string;
  readonly path: string;
  readonly since: number;
  readonly tell: (error: Error | null, stream: Duplex) => void;
}

/** The connections of the front to the operators' thread, for as long as one is there. Those for which the thread has no place at the moment, because many came at once, wait, and owners take turns. */
export class PatientAgent extends Agent {
  readonly #line = new FairLine<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    super({ keepAlive: true });
  }

  override createConnection(options: ClientRequestArgs, tell?: Waiting['tell']): undefined {
    const owner = 'owner' in options && typeof options.owner === 'string' ? options.owner : '';
    const waiting: Waiting = { owner, path: options.socketPath ?? '', since: performance.now(), tell: tell ?? (() => undefined) };
    // Behind those that wait already: whoever comes takes no place that one of them could have.
    if (this.#line.length > 0) this.#line.add(owner, waiting);
    else this.#try(waiting, () => undefined);
  }

  override destroy(): void {
    clearTimeout(this.#timer);
    for (let waiting = this.#line.next(); waiting !== undefined; waiting = this.#line.next())
      waiting.tell(new Error('the thread has ended'), new Socket());
    super.destroy();
  }

  /** @param then is called when the thread has a place for more */
  #try(waiting: Waiting, then: () => void): void {
    const socket = connect({ path: waiting.path });
    const failed = (error: NodeJS.ErrnoException): void => {
      if (!isFull(error) || performance.now() - waiting.since > PATIENCE_MS) {
        waiting.tell(error, socket);
        then();
        return;
      }
      this.#line.add(waiting.owner, waiting);
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#again();
      }, AGAIN_EVERY_MS);
    };
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      waiting.tell(null, socket);
      then();
    });
  }

  #again(): void {
    const next = this.#line.next();
    if (next === undefined) return;
    this.#try(next, () => {
      this.#again();
    });
  }
}

/** Whether a connection failed because more have come than the thread has taken: it is there, and takes them by and by. */
export function isFull(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EAGAIN';
}
