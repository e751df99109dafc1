import type { ClusterEvent } from '@systole/cluster';
import type { ClusterLog } from '@systole/control-plane';
import { AlertProjection, AlertRuns } from '@systole/control-plane-postgres';
import type { EventStore } from '@systole/event-store';
import type { Pool } from 'pg';
import type { Logger } from 'pino';

/** What a worker makes alerts from. */
export interface AlertParts {
  readonly pool: Pool;
  readonly store: EventStore<ClusterEvent>;
  readonly log: ClusterLog;
  readonly logger: Logger;
}

/** Begins to make what nodes run for alerts from the event log, in this worker. */
export function startAlerts({ pool, store, log, logger }: AlertParts): AlertProjection {
  const projection = new AlertProjection({
    runs: new AlertRuns(pool),
    log,
    store,
    onTrouble: (error) => {
      logger.warn({ err: error }, 'alerts could not be seen to; it is tried again');
    },
  });
  projection.start();
  return projection;
}
