import type { Clock } from '../ports/clock.js';
import type { Dispatches, DispatchSignal, DispatchSignals } from '../ports/dispatches.js';

/** How often it is looked without any signal, ms. */
const LOOK_MS = 1_000;

type Wake = (signal: DispatchSignal) => void;

/** Signals of dispatches, none of which stays unheard: a look for all that wait in this process finds what was handed out without one that arrived. */
export class DispatchLooks implements DispatchSignals {
  /** By cluster and node. */
  private readonly waiting = new Map<string, Set<Wake>>();
  private due = false;

  constructor(
    private readonly signals: DispatchSignals,
    private readonly dispatches: Pick<Dispatches, 'undelivered'>,
    private readonly clock: Pick<Clock, 'after'>,
  ) {}

  listen(clusterId: string, node: string, wake: Wake): () => void {
    const key = keyOf(clusterId, node);
    const ofNode = this.waiting.get(key) ?? new Set();
    this.waiting.set(key, ofNode.add(wake));
    this.lookLater();
    const forget = this.signals.listen(clusterId, node, wake);
    return () => {
      forget();
      ofNode.delete(wake);
      if (ofNode.size === 0 && this.waiting.get(key) === ofNode) this.waiting.delete(key);
    };
  }

  private lookLater(): void {
    if (this.due || this.waiting.size === 0) return;
    this.due = true;
    this.clock.after(LOOK_MS, () => void this.look());
  }

  private async look(): Promise<void> {
    try {
      for (const { clusterId, node } of this.waiting.size === 0 ? [] : await this.dispatches.undelivered()) {
        for (const wake of [...(this.waiting.get(keyOf(clusterId, node)) ?? [])]) wake('handed-out');
      }
    } catch {
      // Each that waits finds out for itself, and tells its agent.
      for (const wakes of [...this.waiting.values()]) for (const wake of [...wakes]) wake('missed');
    }
    this.due = false;
    this.lookLater();
  }
}

/** Cluster ids hold no blanks. */
function keyOf(clusterId: string, node: string): string {
  return `${clusterId} ${node}`;
}
