import type { ApiProcess } from './server.js';
import type { Random } from './random.js';
import type { VirtualTime } from './virtual-time.js';

export interface NetworkFaults {
  /** Probability that a message is lost, and that it arrives twice. */
  readonly drop: number;
  readonly duplicate: number;
  /** Longest delay, ms; some messages take ten times as long. */
  readonly delayMs: number;
}

type Direction = 'request' | 'answer';

/** The network between the nodes and the server: it loses, delays, repeats and reorders requests and answers, and nodes can be cut off, also in one direction. */
export class Network {
  /** Where agents find the server. */
  apis: () => readonly ApiProcess[] = () => [];
  private readonly cutOff = new Map<string, ReadonlySet<Direction>>();

  constructor(
    private readonly time: VirtualTime,
    private readonly random: Random,
    private faults: NetworkFaults,
  ) {}

  cut(node: string, directions: readonly Direction[] = ['request', 'answer']): void {
    this.cutOff.set(node, new Set(directions));
  }

  heal(node: string): void {
    this.cutOff.delete(node);
  }

  isCut(node: string): boolean {
    return this.cutOff.has(node);
  }

  /** No more faults. */
  calm(): void {
    this.cutOff.clear();
    this.faults = { drop: 0, duplicate: 0, delayMs: 5 };
  }

  /**
   * Sends a request from a node to some api and its answer back. `serve` may be called twice or not at all, `answered` likewise. A node that
   * is cut off when a message arrives does not get it through.
   */
  call<T>(node: string, serve: (api: ApiProcess) => Promise<T>, answered: (answer: T) => void): void {
    this.carry(node, 'request', () => {
      const api = this.random.pick(this.apis().filter(({ process }) => process.isAlive));
      api?.process.run(() => {
        serve(api).then(
          (answer) => {
            this.carry(node, 'answer', () => {
              answered(answer);
            });
          },
          // An error of the server: the agent tries again when its patience has ended.
          () => undefined,
        );
      });
    });
  }

  private carry(node: string, direction: Direction, deliver: () => void): void {
    const copies = this.random.chance(this.faults.duplicate) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      if (this.random.chance(this.faults.drop)) continue;
      const slow = this.random.chance(0.02) ? 10 : 1;
      this.time.after(this.random.between(1, this.faults.delayMs * slow), () => {
        if (this.cutOff.get(node)?.has(direction) !== true) deliver();
      });
    }
  }
}
