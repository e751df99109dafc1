import type { ClusterEvent } from '@systole/cluster';
import type { ServiceLapses } from '@systole/control-plane';
import { KeptInstallation, openInstallation, type Installation, type StatesListener } from '@systole/control-plane-postgres';
import { EventStore, EventTail, limitedPool, type LimitedPoolOptions } from '@systole/event-store';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ApiConfig } from '../api-config.js';
import type { LoggedEvent } from '../audit/logged-event.js';
import { DEFAULT_CONNECTIONS, sharesOf, type ConnectionShares } from '../database-connections.js';
import type { HttpMetrics } from '../metrics/http-metrics.js';
import type { Closing } from './closing.js';

/** Connections to the database, a pool for each kind of waiting, and the log in it. */
export interface DatabaseAccess {
  /** For leases, tokens and what is read, which wait for nothing. */
  readonly pool: Pool;
  /** For reports and the events that follow from them. */
  readonly appends: Pool;
  readonly deliveries: Pool;
  readonly looks: Pool;
  /** All of them, each once. */
  readonly pools: ReadonlySet<Pool>;
  readonly store: EventStore<ClusterEvent>;
  /** The same log, with the streams that are no cluster's. */
  readonly logged: EventStore<LoggedEvent>;
  readonly tail: EventTail<LoggedEvent>;
  readonly installation: Installation;
  /** What whoever reads states tells. */
  readonly listener: StatesListener;
}

/** What opening the database takes. */
export interface DatabaseCare {
  readonly log: Logger;
  readonly closing: Closing;
  readonly lapses: ServiceLapses;
  readonly metrics: HttpMetrics;
}

/** Opens the pools and the log, and keeps them to the installation that is found there. @throws what `pg` says when the database can't be reached */
export async function openDatabase(config: ApiConfig, { log, closing, lapses, metrics }: DatabaseCare): Promise<DatabaseAccess> {
  const connecting = {
    pipeline: true,
    databaseUrl: config.databaseUrl,
    applicationName: 'systole-api',
    onLost: (reason: string) => {
      log.warn({ reason }, 'a connection to PostgreSQL was lost');
    },
  };
  const shares = sharesOf(config.databaseConnections ?? DEFAULT_CONNECTIONS);
  const serving = {
    ...connecting,
    onRefused: () => {
      lapses.note();
    },
  };
  const pool = limitedPool({ ...serving, connections: poolSizeOf(config, shares) });
  // What waits for streams, or for the table of what is handed out, has connections of its own, and so holds up neither leases nor each other. Behind the front nobody has a lease to lose.
  const apart = (options: LimitedPoolOptions): Pool => (config.frontedAt === undefined ? limitedPool(options) : pool);
  // Leases that can be renewed are kept, whatever can be delivered; whoever has lost one can come back only where joins can be appended.
  const appends = apart({ ...serving, connections: shares.appends });
  const deliveries = apart({ ...connecting, connections: shares.deliveries });
  const looks = apart({ ...connecting, connections: shares.looks });
  const pools = new Set([pool, appends, deliveries, looks]);
  closing.add(async () => {
    await Promise.all([...pools].map((each) => each.end()));
  });
  const listener: StatesListener = {
    onSnapshotRefused: (refused) => {
      metrics.snapshotRefused();
      log.error(refused, 'a snapshot is not what was recorded when it was taken: it is passed over');
    },
    onSnapshotError: (error, clusterId) => {
      log.warn({ err: error, clusterId }, 'a snapshot could not be saved');
    },
    onLost: serving.onLost,
    onRefused: serving.onRefused,
  };
  const store = new EventStore<ClusterEvent>(pool, {
    ...(config.states === undefined ? {} : { reports: config.states.appends }),
    appends,
    onSnapshotRefused: listener.onSnapshotRefused,
  });
  closing.add(() => store.close());
  const logged = new EventStore<LoggedEvent>(pool, { appends });
  closing.add(() => logged.close());
  const tail = new EventTail<LoggedEvent>(logged, {
    onTrouble: (error) => {
      log.warn({ err: error }, 'the newest events could not be read; it is tried again');
    },
  });
  closing.add(() => tail.close());
  const keepTo = (id: string): void => {
    for (const each of pools) new KeptInstallation(id, log).keep(each);
  };
  // The thread for operators begins anew whenever it ends: in whatever database is there then.
  if (config.installation !== undefined) keepTo(config.installation);
  const installation = await openInstallation(pool);
  if (config.installation === undefined) keepTo(installation.id);
  return { pool, appends, deliveries, looks, pools, store, logged, tail, installation, listener };
}

/** One api in one thread has what the two threads of another have together. */
function poolSizeOf({ frontedAt, operatorsApart }: ApiConfig, { front, operators }: ConnectionShares): number {
  if (frontedAt !== undefined) return operators;
  return operatorsApart === true ? front : front + operators;
}
