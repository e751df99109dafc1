import type { ClusterEvent } from '@systole/cluster';
import {
  beatsWhileServing,
  ClusterCommands,
  EpochKeepingLog,
  ServiceLapses,
  type ClusterCommandsParts,
  type AdvanceFailures,
  type ClusterLog,
  type DatabaseClock,
  type Dispatches,
  type Heartbeats,
  type NodeLeases,
  type Report,
  type StoredGraphs,
  type TransactionTables,
} from '@systole/control-plane';
import type { EventStore } from '@systole/event-store';
import { inSlices, slices, type ClusterStates } from '@systole/read-models';
import type { Pool, PoolClient } from 'pg';
import { agentWritesIn, PostgresAgentWrites } from './agents/postgres-agent-writes.js';
import { PostgresDispatches } from './dispatches/postgres-dispatches.js';
import { PostgresHeartbeats } from './leases/postgres-heartbeats.js';
import { containerTokensIn } from './leases/container-tokens.js';
import { PostgresFailures } from './failures/postgres-failures.js';
import { leasesIn, PostgresLeases } from './leases/postgres-leases.js';
import { LogWrites } from './log/log-writes.js';
import { oneAtATime } from './log/statements.js';
import { tryTables } from './log/try-tables.js';
import { clockIn, PostgresClock } from './log/postgres-clock.js';
import { PostgresClusterLog } from './log/postgres-cluster-log.js';
import { SYSTEM_CHANCE, SYSTEM_CLOCK } from './process/system-clock.js';
import { NO_SECRETS, PostgresSecrets, secretsIn, type SecretsSettings } from './secrets/postgres-secrets.js';
import { PostgresTransitionGraphs } from './transitions/postgres-transition-graphs.js';

/** What a process of the server does its work with. */
export interface PostgresPorts {
  readonly log: ClusterLog;
  readonly logWrites: LogWrites;
  readonly leases: NodeLeases;
  /** Of the apis. */
  readonly heartbeats: Heartbeats;
  readonly workerHeartbeats: Heartbeats;
  readonly dispatches: Dispatches;
  readonly graphs: StoredGraphs;
  readonly failures: AdvanceFailures;
  readonly databaseClock: DatabaseClock;
  readonly secrets: PostgresSecrets;
  readonly writes: PostgresAgentWrites;
  /** Commands on this log, by the clocks of this process. */
  commands(options?: Pick<ClusterCommandsParts, 'decide' | 'figures' | 'onAppended' | 'onStored'>): ClusterCommands;
}

/** Of an api or a worker. */
export interface PortsProcess {
  /** What it is, where it says what happens to it. */
  readonly by: string;
  readonly report: Pick<Report, 'warn'>;
  /** For what it appends, as the store has it, if not the same pool. */
  readonly appends?: Pool;
  /** For what it delivers, if not the same. */
  readonly deliveries?: Pool;
  /** For looking whether it has to deliver, if not the same. */
  readonly looks?: Pool;
  /** Of an api: what keeps it from serving agents, as far as others note it. */
  readonly lapses?: ServiceLapses;
  /** How secrets are kept that operators write; absent: by whom none are written. */
  readonly secrets?: SecretsSettings;
}

/**
 * The ports on one database. Pool, store and states stay the caller's.
 */
export function postgresPorts(pool: Pool, store: EventStore<ClusterEvent>, states: ClusterStates, process: PortsProcess): PostgresPorts {
  const tablesIn = (client: PoolClient): TransactionTables => {
    const statements = oneAtATime(client);
    return {
      leases: leasesIn(statements),
      secrets: secretsIn(statements, process.secrets ?? NO_SECRETS),
      containerTokens: containerTokensIn(pool, client),
      writes: agentWritesIn(statements),
      clock: clockIn(statements),
    };
  };
  const logWrites = new LogWrites(() => store.tryAppend(tryTables), SYSTEM_CLOCK, process.report);
  const { appends = pool, deliveries = pool, looks = pool, lapses = new ServiceLapses(SYSTEM_CLOCK) } = process;
  const log = new EpochKeepingLog({
    log: new PostgresClusterLog({ pool, appends, deliveries, store, states, lapses, writes: logWrites, tablesIn }),
    chance: SYSTEM_CHANCE,
    ...process,
  });
  const secrets = new PostgresSecrets(pool, process.secrets ?? NO_SECRETS);
  return {
    log,
    secrets,
    logWrites,
    graphs: new PostgresTransitionGraphs(pool),
    leases: new PostgresLeases(pool, lapses),
    heartbeats: beatsWhileServing(new PostgresHeartbeats(pool, 'api', logWrites), lapses),
    workerHeartbeats: new PostgresHeartbeats(pool, 'worker', logWrites),
    dispatches: new PostgresDispatches(pool, logWrites, { appends, looks }),
    failures: new PostgresFailures(pool),
    writes: new PostgresAgentWrites(appends),
    databaseClock: new PostgresClock(pool),
    commands: (options = {}) =>
      new ClusterCommands({
        log,
        clock: SYSTEM_CLOCK,
        chance: SYSTEM_CHANCE,
        bitByBit: inSlices,
        slices,
        ...(process.secrets === undefined ? {} : { secrets }),
        ...options,
      }),
  };
}
