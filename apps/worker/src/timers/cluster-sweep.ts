import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { repeat, type Repeating } from './repeating.js';

/** Where a cluster's stream stood when this worker last left it at rest, and when something falls due. */
export interface Rest {
  readonly version: number;
  /** Epoch ms, by this machine's clock; absent: only an event can make something due. */
  readonly wakeAt?: number;
}

/** Where the sweep's findings go. */
export interface SweptQueue {
  /** Looks. */
  readonly isAway: () => Promise<boolean>;
  readonly request: (clusterId: string) => Promise<void>;
}

const LOOK_AT_QUEUE_MS = 2_000;

const HEADS = `
SELECT c.id, (SELECT max(version) FROM events e WHERE e.stream_id = c.id)::integer AS version
FROM clusters c
WHERE c.deleted_at IS NULL`;

/**
 * Looks over all clusters now and then, for what no trigger announced: after a start everything, then what has moved or fallen due without
 * this worker's having seen it at rest. So the queue may lose all that it holds. While the queue is away, timers are too: then it looks every two
 * seconds, and once it is back at everything, so that each cluster gets its timer again.
 */
export class ClusterSweep {
  private readonly resting = new Map<string, Rest>();
  private running: Repeating | undefined;
  private wasAway = false;
  /** By the monotonic clock. */
  private nextAt = 0;

  constructor(
    private readonly pool: Pool,
    private readonly queue: SweptQueue,
    private readonly everyMs: number,
    private readonly log: Logger,
  ) {}

  /** Told by the advance that it left the cluster at rest. */
  atRest(clusterId: string, rest: Rest): void {
    this.resting.set(clusterId, rest);
  }

  start(): void {
    this.running ??= repeat(
      Math.min(this.everyMs, LOOK_AT_QUEUE_MS),
      () => this.look(),
      (error) => {
        this.log.warn({ err: error }, 'clusters could not be looked over; trying again');
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
    else if (!this.wasAway && performance.now() < this.nextAt) return;
    await this.sweep();
    this.nextAt = performance.now() + this.everyMs;
  }

  private async sweep(): Promise<void> {
    const { rows } = await this.pool.query<{ id: string; version: number | null }>(HEADS);
    const live = new Set(rows.map(({ id }) => id));
    for (const id of this.resting.keys()) if (!live.has(id)) this.resting.delete(id);
    for (const { id, version } of rows) {
      const rest = this.resting.get(id);
      const asleep = rest && rest.version === version && (rest.wakeAt === undefined || rest.wakeAt > Date.now());
      if (!asleep) await this.queue.request(id);
    }
  }
}
