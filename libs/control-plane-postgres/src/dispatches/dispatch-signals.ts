import type { DispatchSignal, DispatchSignals } from '@systole/control-plane';
import { Notifications } from '@systole/read-models';
import type { Pool } from 'pg';

/** Channel on which the worker says that there is something for a node; the payload is `<cluster id>/<node>`. */
export const DISPATCH_CHANNEL = 'systole_dispatch';

/** Wakes the long polls of agents, by notifications of the database. */
export class PostgresDispatchSignals implements DispatchSignals {
  readonly #waiting = new Map<string, Set<(signal: DispatchSignal) => void>>();
  #notifications: Notifications | undefined;

  private constructor() {
    // Use open().
  }

  static async open(pool: Pool): Promise<PostgresDispatchSignals> {
    const signals = new PostgresDispatchSignals();
    signals.#notifications = await Notifications.open({
      connection: pool.options,
      channel: DISPATCH_CHANNEL,
      onPayload: (payload) => {
        signals.#wake(payload, 'handed-out');
      },
      onResumed: () => {
        for (const key of [...signals.#waiting.keys()]) signals.#wake(key, 'missed');
      },
    });
    return signals;
  }

  listen(clusterId: string, node: string, wake: (signal: DispatchSignal) => void): () => void {
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
  #wake(key: string, signal: DispatchSignal): void {
    for (const wake of [...(this.#waiting.get(key) ?? [])]) wake(signal);
  }

  async close(): Promise<void> {
    await this.#notifications?.close();
  }
}
