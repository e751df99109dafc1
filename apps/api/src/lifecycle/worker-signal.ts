import type { LateQueues } from '@systole/queue';
import type { Logger } from 'pino';

/** Tells the worker that there is something for it to do. */
export class WorkerSignal {
  constructor(
    private readonly queues: LateQueues,
    private readonly log: Logger,
  ) {}

  /** Returns at once. Losing this costs time, not work: the worker looks over all clusters now and then. */
  advance(clusterId: string): void {
    this.queues.enqueueAdvance(clusterId).catch((error: unknown) => {
      this.log.warn({ err: error, clusterId }, 'the worker could not be told of a change');
    });
  }

  /** The same for a webhook. */
  webhook(webhookId: string): void {
    this.queues.scheduleWebhook({ webhookId, at: Date.now() }).catch((error: unknown) => {
      this.log.warn({ err: error, webhookId }, 'the workers could not be told of a change of a webhook');
    });
  }
}
