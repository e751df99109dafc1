import { Global, Module, type DynamicModule, type InjectionToken, type ValueProvider } from '@nestjs/common';
import type { ClusterEvent } from '@systole/cluster';
import {
  AgentSessions,
  ClusterCommands,
  GuestTokens,
  type AdvanceFailures,
  type Dispatches,
  type NodeLeases,
} from '@systole/control-plane';
import { AgentCatalog, AlertRuns, LogWrites, PostgresSecrets, PrivateAttributes } from '@systole/control-plane-postgres';
import { EventStore, EventTail } from '@systole/event-store';
import { LateQueues } from '@systole/queue';
import { AccessTokens, IdempotencyKeys } from '@systole/access';
import { ClusterCatalog, ClusterStates, KnownClusters, TransitionList } from '@systole/read-models';
import { AddressPolicy, Webhooks } from '@systole/webhooks';
import type { Pool } from 'pg';
import { AlertWaits } from './agent/alert-waits.js';
import { NodeReportBudgets } from './access/node-report-budgets.js';
import {
  ADVANCE_FAILURES,
  API_SETTINGS,
  DATABASE,
  DISPATCHES,
  NODE_LEASES,
  OPERATORS_API,
  OTHER_METRICS,
  type ApiSettings,
} from './api-settings.js';
import { ComputingLanes } from './computing/computing-lanes.js';
import type { OperatorsApi } from './front/operators-api.js';
import { ClusterSignals } from './lifecycle/cluster-signals.js';
import { Shutdown } from './lifecycle/shutdown.js';
import { WorkerSignal } from './lifecycle/worker-signal.js';
import { HttpMetrics, type MetricValues } from './metrics/http-metrics.js';
import { ClockWatch } from './watches/clock-watch.js';
import { LogWatch } from './watches/log-watch.js';
import { QueueWatch } from './watches/queue-watch.js';
import { WorkerWatch } from './watches/worker-watch.js';
import { ElapsedTimes } from './status/elapsed-times.js';
import { AuditEntries } from './audit/audit-entries.js';
import type { LoggedEvent } from './audit/logged-event.js';
import { RequestAudit } from './audit/request-audit.js';
import { LargeCommands } from './writes/large-commands.js';

/** What the handlers work with; opened and closed by `createApi`. */
export interface ApiServices {
  readonly pool: Pool;
  readonly store: EventStore<ClusterEvent>;
  readonly queues: LateQueues;
  readonly worker: WorkerSignal;
  readonly states: ClusterStates;
  readonly commands: ClusterCommands;
  readonly tokens: AccessTokens;
  readonly agents: AgentCatalog;
  readonly privateAttributes: PrivateAttributes;
  readonly alertRuns: AlertRuns;
  readonly guestTokens: GuestTokens;
  readonly alertWaits: AlertWaits;
  readonly secrets: PostgresSecrets;
  readonly sessions: AgentSessions;
  readonly leases: NodeLeases;
  readonly failures: AdvanceFailures;
  readonly dispatches: Dispatches;
  readonly budgets: NodeReportBudgets;
  readonly workerWatch: WorkerWatch;
  readonly clockWatch: ClockWatch;
  readonly logWatch: LogWatch;
  readonly queueWatch: QueueWatch;
  readonly logWrites: LogWrites;
  readonly elapsedTimes: ElapsedTimes;
  readonly clusterSignals: ClusterSignals;
  readonly shutdown: Shutdown;
  readonly metrics: HttpMetrics;
  readonly audit: RequestAudit;
  readonly auditEntries: AuditEntries;
  readonly catalog: ClusterCatalog;
  readonly tail: EventTail<LoggedEvent>;
  readonly webhooks: Webhooks;
  readonly webhookAddresses: AddressPolicy;
  readonly lanes: ComputingLanes;
  readonly large: LargeCommands;
  readonly settings: ApiSettings;
  /** Undefined when operators are served in this thread. */
  readonly operators: OperatorsApi | undefined;
  /** Of what else this process does. */
  readonly otherMetrics?: () => Promise<MetricValues>;
}

/** What is injected for a token. */
interface Opened {
  readonly provide: InjectionToken;
  readonly from: (services: ApiServices) => unknown;
}

const OPENED: readonly Opened[] = [
  { provide: DATABASE, from: ({ pool }) => pool },
  { provide: EventStore, from: ({ store }) => store },
  { provide: LateQueues, from: ({ queues }) => queues },
  { provide: WorkerSignal, from: ({ worker }) => worker },
  { provide: ClusterStates, from: ({ states }) => states },
  { provide: ClusterCommands, from: ({ commands }) => commands },
  { provide: AccessTokens, from: ({ tokens }) => tokens },
  { provide: AgentSessions, from: ({ sessions }) => sessions },
  { provide: NodeReportBudgets, from: ({ budgets }) => budgets },
  { provide: ClockWatch, from: ({ clockWatch }) => clockWatch },
  { provide: LogWatch, from: ({ logWatch }) => logWatch },
  { provide: QueueWatch, from: ({ queueWatch }) => queueWatch },
  { provide: LogWrites, from: ({ logWrites }) => logWrites },
  { provide: WorkerWatch, from: ({ workerWatch }) => workerWatch },
  { provide: ElapsedTimes, from: ({ elapsedTimes }) => elapsedTimes },
  { provide: ClusterSignals, from: ({ clusterSignals }) => clusterSignals },
  { provide: Shutdown, from: ({ shutdown }) => shutdown },
  { provide: HttpMetrics, from: ({ metrics }) => metrics },
  { provide: RequestAudit, from: ({ audit }) => audit },
  { provide: AuditEntries, from: ({ auditEntries }) => auditEntries },
  { provide: ComputingLanes, from: ({ lanes }) => lanes },
  { provide: LargeCommands, from: ({ large }) => large },
  { provide: API_SETTINGS, from: ({ settings }) => settings },
  { provide: OPERATORS_API, from: ({ operators }) => operators ?? null },
  { provide: OTHER_METRICS, from: ({ otherMetrics }) => otherMetrics ?? null },
  { provide: ClusterCatalog, from: ({ catalog }) => catalog },
  { provide: KnownClusters, from: ({ catalog }) => new KnownClusters(catalog) },
  { provide: EventTail, from: ({ tail }) => tail },
  { provide: Webhooks, from: ({ webhooks }) => webhooks },
  { provide: AddressPolicy, from: ({ webhookAddresses }) => webhookAddresses },
  { provide: TransitionList, from: ({ pool }) => new TransitionList(pool) },
  { provide: NODE_LEASES, from: ({ leases }) => leases },
  { provide: ADVANCE_FAILURES, from: ({ failures }) => failures },
  { provide: DISPATCHES, from: ({ dispatches }) => dispatches },
  { provide: IdempotencyKeys, from: ({ pool }) => new IdempotencyKeys(pool) },
  { provide: AgentCatalog, from: ({ agents }) => agents },
  { provide: PrivateAttributes, from: ({ privateAttributes }) => privateAttributes },
  { provide: AlertRuns, from: ({ alertRuns }) => alertRuns },
  { provide: GuestTokens, from: ({ guestTokens }) => guestTokens },
  { provide: AlertWaits, from: ({ alertWaits }) => alertWaits },
  { provide: PostgresSecrets, from: ({ secrets }) => secrets },
];

/** What `createApi` opens and closes, for every feature: none of it is made by Nest. */
@Global()
@Module({})
export class OpenedServicesModule {
  static with(services: ApiServices): DynamicModule {
    return providing(OPENED.map(({ provide, from }) => ({ provide, useValue: from(services) })));
  }

  /** For reading the routes only: nothing that is provided may be used. */
  static withoutServices(): DynamicModule {
    return providing(OPENED.map(({ provide }) => ({ provide, useValue: undefined })));
  }
}

function providing(providers: ValueProvider[]): DynamicModule {
  return { module: OpenedServicesModule, providers, exports: providers.map(({ provide }) => provide) };
}
