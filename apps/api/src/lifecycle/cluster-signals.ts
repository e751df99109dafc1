import type { ClusterEvent } from '@systole/cluster';
import type { EventStore } from '@systole/event-store';

/** Tells who waits for a cluster that its stream has grown, whichever process appended. */
export class ClusterSignals {
  readonly #waiting = new Map<string, Set<() => void>>();
  #forget: (() => void) | undefined;

  static async open(store: EventStore<ClusterEvent>): Promise<ClusterSignals> {
    const signals = new ClusterSignals();
    signals.#forget = await store.onAppend((clusterId) => {
      for (const wake of [...(signals.#waiting.get(clusterId) ?? [])]) wake();
    });
    return signals;
  }

  /** Calls `wake` at every append. @returns what ends it */
  listen(clusterId: string, wake: () => void): () => void {
    const waiting = this.#waiting.get(clusterId) ?? new Set();
    waiting.add(wake);
    this.#waiting.set(clusterId, waiting);
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0 && this.#waiting.get(clusterId) === waiting) this.#waiting.delete(clusterId);
    };
  }

  close(): void {
    this.#forget?.();
  }
}
