import type { Random } from './random.js';
import type { Timeline } from './timeline.js';

export interface NetworkFaults {
  /** Probability that a message is lost, and that it arrives twice. */
  readonly drop: number;
  readonly duplicate: number;
  /** Longest delay, ms; some messages take ten times as long. */
  readonly delayMs: number;
}

/** The network between the nodes and the server: it loses, delays, repeats and reorders messages, and nodes can be cut off. */
export class Network {
  private readonly cutOff = new Set<string>();

  constructor(
    private readonly timeline: Timeline,
    private readonly random: Random,
    private faults: NetworkFaults,
  ) {}

  cut(node: string): void {
    this.cutOff.add(node);
  }

  heal(node: string): void {
    this.cutOff.delete(node);
  }

  /** No more faults. */
  calm(): void {
    this.cutOff.clear();
    this.faults = { drop: 0, duplicate: 0, delayMs: 5 };
  }

  /**
   * Sends a request from a node to the server and its answer back. `serve` may be called twice or not at all, `answered` likewise. A node that
   * is cut off when a message arrives does not get it through.
   */
  call<Answer>(node: string, serve: () => Answer, answered: (answer: Answer) => void): void {
    this.carry(node, () => {
      const answer = serve();
      this.carry(node, () => {
        answered(answer);
      });
    });
  }

  private carry(node: string, deliver: () => void): void {
    const copies = this.random.chance(this.faults.duplicate) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      if (this.random.chance(this.faults.drop)) continue;
      const slow = this.random.chance(0.02) ? 10 : 1;
      this.timeline.after(this.random.between(1, this.faults.delayMs * slow), () => {
        if (!this.cutOff.has(node)) deliver();
      });
    }
  }
}
