import type { Message } from '@systole/node-session';
import type { ApiProcess } from './server.js';
import type { Random } from './random.js';
import type { VirtualTime } from './virtual-time.js';
import type { Reply } from './wire.js';

export interface NetworkFaults {
  /** Probability that a message is lost, and that it arrives twice. */
  readonly drop: number;
  readonly duplicate: number;
  /** Longest delay, ms; some messages take ten times as long. */
  readonly delayMs: number;
}

export type Direction = 'request' | 'answer';

/** A message that takes so long is as good as lost, ms. */
const LATE_MS = 500;

/** The network between the nodes and the servers: it loses, delays, repeats and reorders requests and answers, and nodes can be cut off, also in one direction. */
export class Network {
  /** By base URL. */
  apis: ReadonlyMap<string, ApiProcess> = new Map();
  /** Told when two messages of a node in a row were lost or late. */
  onBadLink: (node: string) => void = () => undefined;
  /** Until when; virtual ms. */
  private readonly cutOff = new Map<string, Readonly<Record<Direction, number>>>();
  private readonly bad = new Map<string, number>();
  /** The newest poll of each node. */
  private readonly polls = new Map<string, () => void>();
  /** Until when results of a node are lost, virtual ms. */
  private readonly resultsLost = new Map<string, number>();

  constructor(
    private readonly time: VirtualTime,
    private readonly random: Random,
    private faults: NetworkFaults,
  ) {}

  /** Of cuts that overlap the longer one counts. */
  cut(node: string, ms: number, directions: readonly Direction[] = ['request', 'answer']): void {
    const until = { request: 0, answer: 0, ...this.cutOff.get(node) };
    for (const direction of directions) until[direction] = Math.max(until[direction], this.time.now + ms);
    this.cutOff.set(node, until);
  }

  /** A proxy keeps a copy of the newest poll of a node. @returns passes it on, whenever that is, to who answers there then; nobody waits for the answer */
  keepCopy(node: string): () => void {
    return this.polls.get(node) ?? (() => undefined);
  }

  /** Results of this node get lost, and nothing else. */
  loseResults(node: string, ms: number): void {
    this.resultsLost.set(node, this.time.now + ms);
  }

  /** No more faults. */
  calm(): void {
    this.cutOff.clear();
    this.faults = { drop: 0, duplicate: 0, delayMs: 5 };
  }

  /**
   * Sends a request from a node to an api and its answer back. `serve` may be called twice or not at all, `answered` likewise. A node that is cut off when a
   * message arrives does not get it through.
   * @returns closes the connection, which the api gets to know if the network carries it there
   */
  call(
    node: string,
    url: string,
    kind: Message['kind'],
    serve: (api: ApiProcess, gone: AbortSignal) => Promise<Reply>,
    answered: (reply: Reply | 'unreachable') => void,
  ): () => void {
    const connection = new AbortController();
    if (kind === 'poll') {
      this.polls.set(node, () => {
        const api = this.apis.get(url);
        api?.process.run(() => {
          void serve(api, new AbortController().signal);
        });
      });
    }
    this.carry(node, 'request', () => {
      if (kind === 'results' && this.time.now < (this.resultsLost.get(node) ?? 0)) return;
      const api = this.apis.get(url);
      if (api?.process.isAlive !== true) {
        this.carry(node, 'answer', () => {
          answered('unreachable');
        });
        return;
      }
      api.process.run(() => {
        void serve(api, connection.signal).then((reply) => {
          this.carry(node, 'answer', () => {
            answered(reply);
          });
        });
      });
    });
    return () => {
      this.carry(node, 'request', () => {
        this.apis.get(url)?.process.run(() => {
          connection.abort();
        });
      });
    };
  }

  private carry(node: string, direction: Direction, deliver: () => void): void {
    const copies = this.random.chance(this.faults.duplicate) ? 2 : 1;
    let soonest = Number.POSITIVE_INFINITY;
    for (let copy = 0; copy < copies; copy += 1) {
      if (this.random.chance(this.faults.drop)) continue;
      const slow = this.random.chance(0.02) ? 10 : 1;
      const ms = this.random.between(1, this.faults.delayMs * slow);
      soonest = Math.min(soonest, ms);
      this.time.after(ms, () => {
        if (this.time.now >= (this.cutOff.get(node)?.[direction] ?? 0)) deliver();
      });
    }
    this.judge(node, soonest);
  }

  private judge(node: string, ms: number): void {
    const bad = ms < LATE_MS ? 0 : (this.bad.get(node) ?? 0) + 1;
    this.bad.set(node, bad);
    if (bad >= 2) this.onBadLink(node);
  }
}
