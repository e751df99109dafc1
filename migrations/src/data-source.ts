import pg from 'pg';
import { DataSource } from 'typeorm';
import { EventStore1795269600000 } from './1795269600000-event-store.js';
import { ServerTables1795270000000 } from './1795270000000-server-tables.js';
import { DispatchIncarnation1795270100000 } from './1795270100000-dispatch-incarnation.js';
import { ApiHeartbeats1795270200000 } from './1795270200000-api-heartbeats.js';
import { DispatchPoll1795270300000 } from './1795270300000-dispatch-poll.js';
import { RenewalCounters1795270400000 } from './1795270400000-renewal-counters.js';
import { ClusterClaims1795270500000 } from './1795270500000-cluster-claims.js';
import { AdvanceFailures1795270600000 } from './1795270600000-advance-failures.js';
import { RecordedSnapshots1795271000000 } from './1795271000000-recorded-snapshots.js';
import { WorkerHeartbeats1795271100000 } from './1795271100000-worker-heartbeats.js';
import { Installation1795271200000 } from './1795271200000-installation.js';
import { HeartbeatTroubles1795271310000 } from './1795271310000-heartbeat-troubles.js';
import { RestoredDispatches1795271400000 } from './1795271400000-restored-dispatches.js';
import { PackedGraphs1795271500000 } from './1795271500000-packed-graphs.js';
import { SnapshotPieces1795271600000 } from './1795271600000-snapshot-pieces.js';
import { RollCall1795271700000 } from './1795271700000-roll-call.js';
import { EventTerms1795271800000 } from './1795271800000-event-terms.js';
import { EventReasons1795271810000 } from './1795271810000-event-reasons.js';
import { TokenRights1795272100000 } from './1795272100000-token-rights.js';
import { ResourceAgents1795272200000 } from './1795272200000-resource-agents.js';
import { ClusterSecrets1795272300000 } from './1795272300000-cluster-secrets.js';
import { Webhooks1795272500000 } from './1795272500000-webhooks.js';
import { AlsoAnswered1795272600000 } from './1795272600000-also-answered.js';
import { AlertRuns1795273000000 } from './1795273000000-alert-runs.js';
import { ContainerTokens1795275000000 } from './1795275000000-container-tokens.js';
import { NotedAlertRuns1795276000000 } from './1795276000000-noted-alert-runs.js';
import { PrivateAttributes1795277000000 } from './1795277000000-private-attributes.js';
import { DescriptionBytes1795278000000 } from './1795278000000-description-bytes.js';
import { AgentWrites1795279000000 } from './1795279000000-agent-writes.js';
import { PrivateAttributesRevision1795279200000 } from './1795279200000-private-attributes-revision.js';
import { WrittenDescriptionBytes1795279300000 } from './1795279300000-written-description-bytes.js';
import { KeyedRequests1795279400000 } from './1795279400000-keyed-requests.js';
import { KeysOfClusters1795279500000 } from './1795279500000-keys-of-clusters.js';

/** Every migration, oldest first. A list rather than a file pattern, so that it works compiled and under the test runner alike. */
const MIGRATIONS = [
  EventStore1795269600000,
  ServerTables1795270000000,
  DispatchIncarnation1795270100000,
  ApiHeartbeats1795270200000,
  DispatchPoll1795270300000,
  RenewalCounters1795270400000,
  ClusterClaims1795270500000,
  AdvanceFailures1795270600000,
  RecordedSnapshots1795271000000,
  WorkerHeartbeats1795271100000,
  Installation1795271200000,
  HeartbeatTroubles1795271310000,
  RestoredDispatches1795271400000,
  PackedGraphs1795271500000,
  SnapshotPieces1795271600000,
  RollCall1795271700000,
  EventTerms1795271800000,
  EventReasons1795271810000,
  TokenRights1795272100000,
  ResourceAgents1795272200000,
  ClusterSecrets1795272300000,
  Webhooks1795272500000,
  AlsoAnswered1795272600000,
  AlertRuns1795273000000,
  ContainerTokens1795275000000,
  NotedAlertRuns1795276000000,
  PrivateAttributes1795277000000,
  DescriptionBytes1795278000000,
  AgentWrites1795279000000,
  PrivateAttributesRevision1795279200000,
  WrittenDescriptionBytes1795279300000,
  KeyedRequests1795279400000,
  KeysOfClusters1795279500000,
];

/** For so long a change waits for a lock, ms. */
const LOCKED_WITHIN_MS = 2_000;

/**
 * A TypeORM data source for the schema; not yet initialised. It knows no entities: the programs use plain SQL.
 *
 * Whoever changes a table waits for all who read it, and everybody else waits behind that: behind a backup that lasts an hour no agent could renew its lease. So it gives up soon, and is to try again.
 *
 * @param databaseUrl `postgres://user:password@host:port/database`
 */
export function createDataSource(databaseUrl: string): DataSource {
  return new DataSource({
    type: 'postgres',
    // Else TypeORM looks for `node_modules/pg` as it runs, which a package of the server does not have.
    driver: pg,
    url: databaseUrl,
    applicationName: 'systole-migrate',
    migrations: [...MIGRATIONS],
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    poolSize: 1,
    extra: { lock_timeout: LOCKED_WITHIN_MS },
    logging: false,
  });
}
