import type { Pool } from 'pg';
import { Notifications } from '../postgres/notifications.js';
import { DISPATCH_CHANNEL } from './action-deliveries.js';

/** Wakes the long polls of agents. */
export class DispatchSignals {
  readonly #waiting = new Map<string, Set<() => void>>();
  #notifications: Notifications | undefined;

  private constructor() {
    // Use open().
  }

  static async open(pool: Pool): Promise<DispatchSignals> {
    const signals = new DispatchSignals();
    signals.#notifications = await Notifications.open({
      connection: pool.options,
      channel: DISPATCH_CHANNEL,
      onPayload: (payload) => {
        signals.wake(payload);
      },
      onResumed: () => {
        for (const key of [...signals.#waiting.keys()]) signals.wake(key);
      },
    });
    return signals;
  }

  /** Calls `wake` at every signal for the node. @returns what ends it */
  listen(clusterId: string, node: string, wake: () => void): () => void {
    const key = `${clusterId}/${node}`;
    const waiting = this.#waiting.get(key) ?? new Set();
    waiting.add(wake);
    this.#waiting.set(key, waiting);
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key);
    };
  }

  /** @param key `<cluster id>/<node>` */
  wake(key: string): void {
    for (const wake of [...(this.#waiting.get(key) ?? [])]) wake();
  }

  async close(): Promise<void> {
    await this.#notifications?.close();
  }
}
