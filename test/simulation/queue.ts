import type { ClusterWorker } from '@systole/control-plane';
import type { Process } from './process.js';
import type { Random } from './random.js';
import type { VirtualTime } from './virtual-time.js';

/** A worker that takes jobs. */
export interface Consumer {
  readonly process: Process;
  readonly worker: ClusterWorker;
}

const RETRY_MS = 1_000;

/** The queue of all processes: it coalesces, and can be away or forget everything. */
export class SimulatedQueue {
  isAway = false;
  consumers: readonly Consumer[] = [];
  private waiting = new Set<string>();

  constructor(
    private readonly time: VirtualTime,
    private readonly random: Random,
  ) {}

  wipe(): void {
    this.waiting = new Set();
  }

  /** The queue as a process sees it. */
  for(process: Process): { enqueueAdvance(clusterId: string): Promise<void> } {
    return {
      enqueueAdvance: (clusterId) =>
        process.call(() => {
          if (this.isAway) return Promise.reject(new Error('the queue is away'));
          this.enqueue(clusterId);
          return Promise.resolve();
        }),
    };
  }

  enqueue(clusterId: string): void {
    if (this.waiting.has(clusterId)) return;
    this.waiting.add(clusterId);
    this.time.after(this.random.between(0, 5), () => {
      this.give(clusterId);
    });
  }

  private give(clusterId: string): void {
    if (!this.waiting.delete(clusterId)) return;
    const ready = this.consumers.filter(({ process }) => process.isAlive);
    const consumer = this.random.pick(ready);
    const again = (): void => {
      this.time.after(RETRY_MS, () => {
        this.enqueue(clusterId);
      });
    };
    if (this.isAway || !consumer) again();
    else consumer.process.run(() => void consumer.worker.move(clusterId));
  }
}
