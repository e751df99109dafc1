import { Module, type DynamicModule, type ValueProvider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
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
import { AccessGuard } from './access/access.guard.js';
import { AgentController } from './agent/agent.controller.js';
import { AgentAlertsController } from './agent/agent-alerts.controller.js';
import { AgentFencingController } from './agent/agent-fencing.controller.js';
import { AgentGuestsController } from './agent/agent-guests.controller.js';
import { AlertWaits } from './agent/alert-waits.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { AgentInventoryController } from './agent/agent-inventory.controller.js';
import { AgentTransientController } from './agent/agent-transient.controller.js';
import { NodeReportBudgets } from './agent/node-report-budgets.js';
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
import { CibController } from './cib/cib.controller.js';
import { ClusterHistory } from './reads/cluster-history.js';
import { ClusterLookup } from './reads/cluster-lookup.js';
import { ClusterMoments } from './reads/cluster-moments.js';
import { UnlistedClusters } from './reads/unlisted-clusters.js';
import { ClusterCommandsController } from './clusters/cluster-commands.controller.js';
import { ClustersController } from './clusters/clusters.controller.js';
import { BatchController } from './configuration/batch.controller.js';
import { FrontKeeps } from './front/front-keeps.js';
import { ConfigurationReads } from './configuration/configuration-reads.js';
import { ConfigurationWrites } from './configuration/configuration-writes.js';
import { ElementsController } from './configuration/elements.controller.js';
import { SETTINGS_CONTROLLERS } from './configuration/settings.controllers.js';
import { WholeConfigurationController } from './configuration/whole-configuration.controller.js';
import { ComputingLanes } from './computing/computing-lanes.js';
import { StreamPlaces } from './events/stream-places.js';
import { AllEventsController } from './events/all-events.controller.js';
import { EventsController } from './events/events.controller.js';
import { ExplanationController } from './explanation/explanation.controller.js';
import type { OperatorsApi } from './front/operators-api.js';
import { HealthController } from './health/health.controller.js';
import { BodiesInFlight } from './http/bodies-in-flight.js';
import { BodyParsing } from './http/body-parsing.js';
import { ProblemFilter } from './http/problem.filter.js';
import { LongAnswers } from './http/long-answers.js';
import { ConditionRefusal } from './http/conditions.js';
import { QueryRefusal } from './http/query-refusal.js';
import { RequestValidationPipe } from './http/request-validation.pipe.js';
import { ClusterSignals } from './lifecycle/cluster-signals.js';
import { Shutdown } from './lifecycle/shutdown.js';
import { WorkerSignal } from './lifecycle/worker-signal.js';
import { HttpMetrics, type MetricValues } from './metrics/http-metrics.js';
import { AgentsController } from './metadata/agents.controller.js';
import { MetadataController } from './metadata/metadata.controller.js';
import { NodeAgents } from './metadata/node-agents.js';
import { ClusterMetricsController } from './metrics/cluster-metrics.controller.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { NodeAttributesController } from './nodes/node-attributes.controller.js';
import { NodeRemovalController } from './nodes/node-removal.controller.js';
import { NodeCommandsController } from './nodes/node-commands.controller.js';
import { FailCountsController } from './resources/fail-counts.controller.js';
import { ResourceHistoryController } from './resources/resource-history.controller.js';
import { RestoreController } from './cib/restore.controller.js';
import { DiffController } from './cib/diff.controller.js';
import { PastVersions } from './reads/past-versions.js';
import { ResourceCommandsController } from './resources/resource-commands.controller.js';
import { ResilienceController } from './resilience/resilience.controller.js';
import { ResourceModesController } from './resources/resource-modes.controller.js';
import { DebugOutcome } from './writes/debug-outcome.js';
import { ResourceDebuggingController } from './resources/resource-debugging.controller.js';
import { ResourceRestart } from './resources/resource-restart.js';
import { ResourceRelocationController } from './resources/resource-relocation.controller.js';
import { ResourceRestartController } from './resources/resource-restart.controller.js';
import { ResourcePlacementController } from './resources/resource-placement.controller.js';
import { ClearSecrets } from './secrets/clear-secrets.js';
import { ErasedReferences } from './secrets/erased-references.js';
import { SecretsController } from './secrets/secrets.controller.js';
import { LastChanges } from './reads/last-change.js';
import { DocumentTexts } from './scheduling/document-texts.js';
import { SchedulePreview } from './scheduling/schedule-preview.js';
import { SimulateController } from './simulate/simulate.controller.js';
import { FencingController } from './status/fencing.controller.js';
import { FencingAnswers } from './status/fencing-answers.js';
import { FencingHistory } from './status/fencing-history.js';
import { MonitorView } from './status/monitor-view.js';
import { WhatIfController } from './simulate/what-if.controller.js';
import { StatusView } from './status/status-view.js';
import { ClockWatch } from './watches/clock-watch.js';
import { LogWatch } from './watches/log-watch.js';
import { QueueWatch } from './watches/queue-watch.js';
import { WorkerWatch } from './watches/worker-watch.js';
import { ElapsedTimes } from './status/elapsed-times.js';
import { LostTail } from './status/lost-tail.js';
import { NodeModes } from './status/node-modes.js';
import { RunningTransition } from './status/running-transition.js';
import { StatusController } from './status/status.controller.js';
import { TicketsController } from './tickets/tickets.controller.js';
import { ToolRequestsController } from './tools/tool-requests.controller.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditEntries } from './audit/audit-entries.js';
import type { LoggedEvent } from './audit/logged-event.js';
import { RequestAudit } from './audit/request-audit.js';
import { EvidenceController } from './evidence/evidence.controller.js';
import { TokensController } from './tokens/tokens.controller.js';
import { TransitionSteps } from './status/transition-steps.js';
import { TransitionCommandsController } from './transitions/transition-commands.controller.js';
import { TransitionsController } from './transitions/transitions.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { ClusterWrites } from './writes/cluster-writes.js';
import { LargeCommands } from './writes/large-commands.js';
import { OthersAffected } from './writes/others-affected.js';
import { Settling } from './writes/settling.js';

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

/** All routes. */
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [
    ClustersController,
    ClusterCommandsController,
    CibController,
    BatchController,
    WholeConfigurationController,
    ...SETTINGS_CONTROLLERS,
    ElementsController,
    StatusController,
    ClusterMetricsController,
    FencingController,
    ExplanationController,
    NodeCommandsController,
    NodeAttributesController,
    NodeRemovalController,
    ResourceCommandsController,
    ResourceModesController,
    ResourcePlacementController,
    ResourceRestartController,
    ResourceDebuggingController,
    ResourceRelocationController,
    FailCountsController,
    TicketsController,
    ToolRequestsController,
    AlertsController,
    SecretsController,
    TransitionsController,
    TransitionCommandsController,
    EventsController,
    AllEventsController,
    ResourceHistoryController,
    RestoreController,
    DiffController,
    SimulateController,
    WhatIfController,
    ResilienceController,
    MetadataController,
    AgentsController,
    TokensController,
    WebhooksController,
    AuditController,
    EvidenceController,
    AgentController,
    AgentInventoryController,
    AgentTransientController,
    AgentAlertsController,
    AgentGuestsController,
    AgentFencingController,
    HealthController,
    MetricsController,
  ],
  providers: [
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_GUARD, useClass: AccessGuard },
    // The outermost: it writes what all others have seen.
    { provide: APP_INTERCEPTOR, useClass: LongAnswers },
    // In this order: what is refused costs no reading of its body.
    { provide: APP_INTERCEPTOR, useClass: ConditionRefusal },
    { provide: APP_INTERCEPTOR, useClass: QueryRefusal },
    { provide: APP_INTERCEPTOR, useClass: BodyParsing },
    { provide: APP_PIPE, useClass: RequestValidationPipe },
    ClusterHistory,
    PastVersions,
    ClusterLookup,
    ClusterMoments,
    ClusterWrites,
    ConfigurationReads,
    FrontKeeps,
    ConfigurationWrites,
    ClearSecrets,
    ErasedReferences,
    BodiesInFlight,
    StreamPlaces,
    DocumentTexts,
    LastChanges,
    NodeModes,
    LostTail,
    NodeAgents,
    OthersAffected,
    ResourceRestart,
    DebugOutcome,
    RunningTransition,
    SchedulePreview,
    Settling,
    TransitionSteps,
    StatusView,
    FencingAnswers,
    FencingHistory,
    MonitorView,
    UnlistedClusters,
  ],
})
export class ApiModule {
  static with(services: ApiServices): DynamicModule {
    return { module: ApiModule, providers: [...provided(services)] };
  }

  /** For reading the routes only: nothing that is provided may be used. */
  static withoutServices(): DynamicModule {
    const tokens = [DATABASE, API_SETTINGS, NODE_LEASES, ADVANCE_FAILURES, DISPATCHES, OPERATORS_API, OTHER_METRICS, ...SERVICES];
    return { module: ApiModule, providers: tokens.map((provide) => ({ provide, useValue: undefined })) };
  }
}

const SERVICES = [
  EventStore,
  LateQueues,
  WorkerSignal,
  ClusterStates,
  ClusterCommands,
  AccessTokens,
  AgentSessions,
  NodeReportBudgets,
  WorkerWatch,
  ClockWatch,
  LogWatch,
  LogWrites,
  QueueWatch,
  ElapsedTimes,
  ClusterSignals,
  Shutdown,
  HttpMetrics,
  RequestAudit,
  AuditEntries,
  ComputingLanes,
  LargeCommands,
  ClusterCatalog,
  KnownClusters,
  EventTail,
  Webhooks,
  AddressPolicy,
  TransitionList,
  IdempotencyKeys,
  AgentCatalog,
  PrivateAttributes,
  AlertRuns,
  GuestTokens,
  AlertWaits,
  PostgresSecrets,
];

function provided(services: ApiServices): readonly ValueProvider[] {
  const { pool } = services;
  return [
    { provide: DATABASE, useValue: pool },
    { provide: EventStore, useValue: services.store },
    { provide: LateQueues, useValue: services.queues },
    { provide: WorkerSignal, useValue: services.worker },
    { provide: ClusterStates, useValue: services.states },
    { provide: ClusterCommands, useValue: services.commands },
    { provide: AccessTokens, useValue: services.tokens },
    { provide: AgentSessions, useValue: services.sessions },
    { provide: NodeReportBudgets, useValue: services.budgets },
    { provide: ClockWatch, useValue: services.clockWatch },
    { provide: LogWatch, useValue: services.logWatch },
    { provide: QueueWatch, useValue: services.queueWatch },
    { provide: LogWrites, useValue: services.logWrites },
    { provide: WorkerWatch, useValue: services.workerWatch },
    { provide: ElapsedTimes, useValue: services.elapsedTimes },
    { provide: ClusterSignals, useValue: services.clusterSignals },
    { provide: Shutdown, useValue: services.shutdown },
    { provide: HttpMetrics, useValue: services.metrics },
    { provide: RequestAudit, useValue: services.audit },
    { provide: AuditEntries, useValue: services.auditEntries },
    { provide: ComputingLanes, useValue: services.lanes },
    { provide: LargeCommands, useValue: services.large },
    { provide: API_SETTINGS, useValue: services.settings },
    { provide: OPERATORS_API, useValue: services.operators ?? null },
    { provide: OTHER_METRICS, useValue: services.otherMetrics ?? null },
    { provide: ClusterCatalog, useValue: services.catalog },
    { provide: KnownClusters, useValue: new KnownClusters(services.catalog) },
    { provide: EventTail, useValue: services.tail },
    { provide: Webhooks, useValue: services.webhooks },
    { provide: AddressPolicy, useValue: services.webhookAddresses },
    { provide: TransitionList, useValue: new TransitionList(pool) },
    { provide: NODE_LEASES, useValue: services.leases },
    { provide: ADVANCE_FAILURES, useValue: services.failures },
    { provide: DISPATCHES, useValue: services.dispatches },
    { provide: IdempotencyKeys, useValue: new IdempotencyKeys(pool) },
    { provide: AgentCatalog, useValue: services.agents },
    { provide: PrivateAttributes, useValue: services.privateAttributes },
    { provide: AlertRuns, useValue: services.alertRuns },
    { provide: GuestTokens, useValue: services.guestTokens },
    { provide: AlertWaits, useValue: services.alertWaits },
    { provide: PostgresSecrets, useValue: services.secrets },
  ];
}
