import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadAnswer, LoadCounts, LoadOrder, LoadOrders } from './load-orders.js';

interface Waiting {
  readonly resolve: (given: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The simulated agents, in a process of their own. */
export class AgentsLoad {
  private readonly waiting = new Map<number, Waiting>();
  private requests = 0;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (answer: LoadAnswer) => {
      const waiting = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if ('failed' in answer) waiting?.reject(new Error(answer.failed));
      else waiting?.resolve(answer.given);
    });
    child.on('exit', (code, signal) => {
      for (const { reject } of this.waiting.values()) reject(new Error(`the agents' process ended: ${signal ?? code ?? ''}`));
      this.waiting.clear();
    });
  }

  static start(): AgentsLoad {
    const entry = fileURLToPath(new URL('./agents-process.js', import.meta.url));
    return new AgentsLoad(fork(entry, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
  }

  /** @throws {Error} with what the process said */
  order<Kind extends LoadOrder>(order: Kind, takes: LoadOrders[Kind]['takes']): Promise<LoadOrders[Kind]['gives']> {
    const id = ++this.requests;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {
        resolve: (given) => {
          resolve(given as LoadOrders[Kind]['gives']);
        },
        reject,
      });
      this.child.send({ id, order, ...takes });
    });
  }

  /**
   * What the agents did so far.
   * @param since from when on each request has to be answered, too; what is measured does not count when an agent had to ask twice
   * @throws {Error} when an agent was refused, or was not answered since then
   */
  async counts(since?: LoadCounts): Promise<LoadCounts> {
    const counts = await this.order('counts', {});
    const { refused, refusals, unanswered, unansweredBecause } = counts;
    if (refused > 0) throw new Error(`${refused} requests of agents were refused:\n${refusals.join('\n')}`);
    if (since !== undefined && unanswered > since.unanswered) {
      throw new Error(
        `${unanswered - since.unanswered} requests of agents were not answered:\n${unansweredBecause.slice(since.unanswered).join('\n')}`,
      );
    }
    return counts;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
  }
}
