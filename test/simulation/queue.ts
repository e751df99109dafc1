import type { AdvanceQueue, ClusterWorker } from '@systole/control-plane';
import type { Process } from './process.js';
import type { Random } from './random.js';
import type { VirtualTime } from './virtual-time.js';

/** A worker that takes jobs. */
export interface Consumer {
  readonly process: Process;
  readonly worker: ClusterWorker;
}

const RETRY_MS = 1_000;

/** The queue of all processes: it coalesces, keeps one timer for each cluster, and can be away or forget everything. */
export class SimulatedQueue {
  isAway = false;
  consumers: readonly Consumer[] = [];
  private waiting = new Set<string>();
  private timers = new Map<string, () => void>();

  constructor(
    private readonly time: VirtualTime,
    private readonly random: Random,
  ) {}

  wipe(): void {
    this.waiting = new Set();
    for (const cancel of this.timers.values()) cancel();
    this.timers = new Map();
  }

  /** The queue as a process sees it. */
  for(process: Process): AdvanceQueue {
    const asked = <T>(work: () => T): Promise<T> =>
      process.call(() => (this.isAway ? Promise.reject(new Error('the queue is away')) : Promise.resolve(work())));
    return {
      enqueueAdvance: (clusterId) =>
        asked(() => {
          this.enqueue(clusterId);
        }),
      wakeIn: (clusterId, ms) =>
        asked(() => {
          this.timers.get(clusterId)?.();
          this.timers.set(
            clusterId,
            this.time.after(ms, () => {
              this.enqueue(clusterId);
            }),
          );
        }),
      trouble: () => process.call(() => Promise.resolve(this.isAway ? 'away' : undefined)),
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
    else consumer.process.run(() => void consumer.worker.move(clusterId, new AbortController().signal).catch(again));
  }
}
