/**
 * What the server does, on ports that others implement. Start at:
 *
 * - `ClusterCommands`: how everything is asked of a cluster;
 * - `AgentSessions`: what agents say and ask;
 * - `ClusterWorker`: what moves clusters, watches leases and plans.
 */
export { SerialByKey } from './commands/serial-by-key.js';
export { ClusterCommands, type ClusterCommandsParts } from './commands/cluster-commands.js';
export { CARRIED_OUT_WITHIN_MS, CarriedOutLate, CONFIGURED_WITHIN_MS, type ReceivedRequest } from './commands/request-age.js';
export { CommandContention, type ExecuteOptions, type ExecuteResult, type PreviewResult } from './commands/command-results.js';
export type { Decider } from './commands/decide-all.js';
export { toolCommand, type ToolMoment } from './tools/tool-command.js';
export { ClockSteps } from './leases/clock-steps.js';
export { Heartbeat, type HeartbeatParts } from './leases/heartbeat.js';
export { LeaseAges } from './leases/lease-ages.js';
export { LeaseWatch } from './leases/lease-watch.js';
export type { Look } from './leases/look.js';
export { beatsWhileServing, NotServing, ServiceLapses } from './service/service-lapses.js';
export type { AgentWrites, NumberedWrite } from './ports/agent-writes.js';
export type { AdvanceFailure, AdvanceFailures } from './ports/advance-failures.js';
export type { Chance, Clock, DatabaseClock } from './ports/clock.js';
export type { ClusterClaim, ClusterClaims } from './ports/cluster-claims.js';
export { EpochKeepingLog, type EpochKeepingLogParts } from './epochs/epoch-keeping-log.js';
export {
  HeldTooLong,
  LogTooNew,
  LogWentBack,
  placesOf,
  workTogether,
  OutcomeUnknown,
  Unstorable,
  tellAnswers,
  type Answers,
  type Append,
  type Appended,
  type AppendMeta,
  type AppendOutcome,
  type AppendPart,
  type ClusterHead,
  type ClusterLog,
  type HeldOutcome,
  type StateAtHead,
} from './ports/cluster-log.js';
export type {
  Delivery,
  Dispatches,
  DispatchRow,
  DispatchSignal,
  DispatchSignals,
  DueDeliveries,
  LostDispatch,
  NewDispatch,
  NodeOfCluster,
  Recipient,
  ShutdownGrant,
  OpenOperation,
  UnansweredDispatch,
  Waiting,
} from './ports/dispatches.js';
export type { DispatchRecords, DispatchTimes, EndedSpan, SpanAttributes, SpanRef, SpanSink } from './ports/spans.js';
export { BEGINNING, type StoredAppend } from './tracing/event-spans.js';
export { TracedAppends } from './tracing/traced-appends.js';
export { actionText, operationIn } from './ports/dispatches.js';
export { BEAT_MS, LONGEST_SILENCE_MS, type ApiBeats, type Heartbeats } from './ports/heartbeats.js';
export type { AppendFigures, EndedFencing, PlanTimes, SessionFigures, WorkerFigures } from './ports/figures.js';
export type { HeadSeals, SealedHead, SealVerdict } from './ports/head-seals.js';
export type { LeaseReading, NewLease, NodeLease, NodeLeases, Presence, Renewed, RollCall } from './ports/node-leases.js';
export { NO_TRAITS, type AgentTraits } from './ports/agent-traits.js';
export type { Report } from './ports/report.js';
export { ServerOverloaded, type Admission } from './ports/admission.js';
export { ReportBudgetSpent, type ReportBudgets, type ReportKind, type ReportSize, type SpentBudget } from './ports/report-budgets.js';
export type { PlannedSchedule, Scheduling } from './ports/scheduling.js';
export type { ListedSecret, SecretStore, SecretTables } from './ports/secrets.js';
export type { TransactionTables, WithdrawnBy } from './ports/transaction-tables.js';
export type { StoredGraphs } from './ports/transition-graphs.js';
export { GuestTokens, type ContainerStart, type GuestTokensParts } from './sessions/guest-tokens.js';
export { AgentSessions, type AgentSessionsParts } from './sessions/agent-sessions.js';
export type { Answer, CallingNode, SessionSettings } from './sessions/session.js';
export { Elapsed } from './time/elapsed.js';
export { LOOP_RESOLUTION_MS, LoopPauses } from './time/loop-pauses.js';
export { pause } from './time/pause.js';
export { repeat, type Repeating } from './time/repeating.js';
export { Wakeable, type Ending } from './time/wakeable.js';
export { CLAIM_TIMING, ClusterBusy, ClusterLocks, type ClaimTiming, type ClusterLock } from './turns/cluster-locks.js';
export { ClusterWorker, type WorkerLoad, type WorkerPorts, type WorkerSettings } from './worker/cluster-worker.js';
