import type { Clock } from '../ports/clock.js';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { Report } from '../ports/report.js';
import { repeat, type Repeating } from '../time/repeating.js';

/** Where a cluster's stream stood when this worker last left it at rest, and when something falls due. */
export interface Rest {
  readonly version: number;
  /** Ms from then; absent: only an event can make something due. */
  readonly wakeInMs?: number;
}

/** Where the sweep's findings go. */
export interface SweptQueue {
  /** Looks. */
  readonly isAway: () => Promise<boolean>;
  readonly request: (clusterId: string) => Promise<void>;
  /** Told after each look over all clusters. */
  readonly swept: () => Promise<void>;
}

const LOOK_MS = 2_000;

/**
 * Looks over all clusters now and then, for what no trigger announced: after a start everything, then what has moved without
 * this worker's having seen it at rest. So the queue may lose all that it holds. While the queue is away it looks every two seconds, and once it is back at
 * everything, so that each cluster gets its timer again. What falls due by this process's monotonic clock is asked for whatever became of its timer, which
 * goes by the time of day.
 */
export class ClusterSweep {
  private readonly resting = new Map<string, { readonly version: number; readonly wakeAt: number }>();
  private running: Repeating | undefined;
  private wasAway = false;
  /** By the monotonic clock. */
  private nextAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly log: Pick<ClusterLog, 'heads'>,
    private readonly clock: Clock,
    private readonly queue: SweptQueue,
    private readonly everyMs: number,
    private readonly report: Report,
  ) {}

  /** Told by the advance that it left the cluster at rest. */
  atRest(clusterId: string, { version, wakeInMs = Number.POSITIVE_INFINITY }: Rest): void {
    this.resting.set(clusterId, { version, wakeAt: this.clock.monotonic() + wakeInMs });
  }

  start(): void {
    this.running ??= repeat(
      this.clock,
      Math.min(this.everyMs, LOOK_MS),
      () => this.look(),
      (error) => {
        this.report.warn({ err: error }, 'clusters could not be looked over; trying again');
      },
    );
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  private async look(): Promise<void> {
    const wasAway = this.wasAway;
    this.wasAway = await this.queue.isAway();
    if (wasAway && !this.wasAway) this.resting.clear();
    else if (!this.wasAway && this.clock.monotonic() < this.nextAt) {
      await this.requestDue();
      return;
    }
    await this.sweep();
    await this.queue.swept();
    this.nextAt = this.clock.monotonic() + this.everyMs;
  }

  private async requestDue(): Promise<void> {
    const now = this.clock.monotonic();
    for (const [id, { wakeAt }] of this.resting) if (wakeAt <= now) await this.queue.request(id);
  }

  private async sweep(): Promise<void> {
    const heads = await this.log.heads();
    const live = new Set(heads.map(({ id }) => id));
    for (const id of this.resting.keys()) if (!live.has(id)) this.resting.delete(id);
    for (const { id, version } of heads) {
      const rest = this.resting.get(id);
      const asleep = rest?.version === version && rest.wakeAt > this.clock.monotonic();
      if (!asleep) await this.queue.request(id);
    }
  }
}
