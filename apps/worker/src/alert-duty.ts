import type { ClusterEvent } from '@systole/cluster';
import type { ClusterCommands, ClusterLog } from '@systole/control-plane';
import { AlertOutcomes, AlertProjection, AlertRuns } from '@systole/control-plane-postgres';
import type { EventStore } from '@systole/event-store';
import type { Pool } from 'pg';
import type { Logger } from 'pino';

/** What a worker makes alerts from. */
export interface AlertParts {
  readonly pool: Pool;
  readonly store: EventStore<ClusterEvent>;
  readonly log: ClusterLog;
  readonly commands: ClusterCommands;
  readonly logger: Logger;
}

/** What a worker does for alerts: it makes what nodes run for them from the event log, and has the log say where that fails. */
export class AlertDuty {
  private constructor(
    private readonly projection: AlertProjection,
    private readonly outcomes: AlertOutcomes,
  ) {}

  static start({ pool, store, log, commands, logger }: AlertParts): AlertDuty {
    const onTrouble = (error: unknown): void => {
      logger.warn({ err: error }, 'alerts could not be seen to; it is tried again');
    };
    const projection = new AlertProjection({ runs: new AlertRuns(pool), log, store, onTrouble });
    projection.start();
    return new AlertDuty(projection, new AlertOutcomes({ pool, commands, onTrouble }));
  }

  /** Has a cluster's events looked at. Returns at once. */
  want(clusterId: string): void {
    this.projection.want(clusterId);
  }

  /** Begins no more, and waits for what is under way. */
  async close(): Promise<void> {
    await Promise.all([this.projection.close(), this.outcomes.close()]);
  }
}
