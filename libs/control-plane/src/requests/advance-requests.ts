import type { Report } from '../ports/report.js';

/** What {@link AdvanceRequests} works with. */
export interface AdvanceRequestsParts {
  /** Rejects when the queue does not take it soon. */
  readonly enqueue: (clusterId: string) => Promise<void>;
  /** Moves the cluster in this process, as a job would. */
  readonly move: (clusterId: string, signal: AbortSignal) => Promise<void>;
  /** Clusters moved at the same time without the queue. */
  readonly concurrency: number;
  readonly report: Report;
}

/**
 * Where everything that wants a cluster to be moved is told so: into the queue, and while that is away straight to this worker, so that leases and
 * planning go on without it. The same lock keeps workers apart either way.
 */
export class AdvanceRequests {
  private away = false;
  private readonly wanted = new Set<string>();
  private readonly moving = new Map<string, Promise<void>>();
  private readonly closing = new AbortController();

  constructor(private readonly parts: AdvanceRequestsParts) {}

  /** Whether clusters are moved without the queue at the moment. */
  get queueIsAway(): boolean {
    return this.away;
  }

  /** Resolves when the request is in the queue, or noted here because the queue is away. Never rejects. */
  async request(clusterId: string): Promise<void> {
    if (this.closing.signal.aborted) return;
    if (!this.away) {
      try {
        await this.parts.enqueue(clusterId);
        return;
      } catch (error) {
        this.queueIs('down', error);
      }
    }
    this.wanted.add(clusterId);
    this.moveWanted();
  }

  /** Told whenever somebody looked after the queue. */
  queueIs(status: 'up' | 'down', error?: unknown): void {
    if (this.closing.signal.aborted || this.away === (status === 'down')) return;
    this.away = status === 'down';
    if (this.away) this.parts.report.warn({ err: error }, 'the queue is away; this worker moves clusters without it');
    else this.parts.report.info({}, 'the queue is back');
  }

  /** Interrupts what is moved here and waits for its end. */
  async close(): Promise<void> {
    this.closing.abort(new Error('the worker is closing'));
    this.wanted.clear();
    await Promise.all(this.moving.values());
  }

  private moveWanted(): void {
    for (const clusterId of this.wanted) {
      if (this.moving.size >= this.parts.concurrency) return;
      if (this.moving.has(clusterId)) continue;
      this.wanted.delete(clusterId);
      this.moving.set(clusterId, this.moveOne(clusterId));
    }
  }

  private async moveOne(clusterId: string): Promise<void> {
    try {
      await this.parts.move(clusterId, this.closing.signal);
    } catch (error) {
      // It was not left at rest, so that the next sweep asks for it again.
      this.parts.report.info({ err: error, clusterId }, 'a cluster could not be moved without the queue');
    } finally {
      this.moving.delete(clusterId);
      this.moveWanted();
    }
  }
}
