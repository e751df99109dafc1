/**
 * The domain of a cluster, pure. Start at:
 *
 * - `evolve` / `fold`: events -> ClusterState (the CIB included);
 * - `decide`: command + state -> events, or a refusal;
 * - `resumeEngine`, then `Engine.step`: graph + state + dispatch rows -> what to hand out;
 * - `fencingStep`, `leaseVerdict`, `planningHold`, `countQuorum`: what the worker asks on its timers.
 */
export type { GraphAction, TransitionGraph } from '@systole/scheduler';
export type { HeldSecret, NewSecret, Sealing, SecretPatterns } from '@systole/cib';
export * from './events/cluster-event.js';
export { describeEvent, type EventDescription } from './events/describe-event.js';
export { namesInChange, namesInConfiguration } from './events/names-in-configuration.js';
export * from './state/cluster-state.js';
export { isReported, reportsOf, reportsSince, resultFrom, type ActionReport, type TransitionResults } from './state/transition-results.js';
export { evolve, fold } from './state/evolve.js';
export { UnknownEventType } from './state/unknown-event-type.js';
export { evolveAhead, isLongToFold } from './state/evolve-ahead.js';
export { isPerson, WORKER_ACTOR } from './events/actors.js';
export { primitivesOf } from './state/primitives-of.js';
export { summaryLine, SUMMARIZED_NODE, SUMMARIZED_RESOURCE, type SummarizedAction } from './events/summary-line.js';
export { correlationCarried } from './state/correlation.js';
export { disturbanceBy } from './state/disturbance.js';
export { relevance, relevantSince, type Relevance } from './state/relevance.js';
export { livesEndedBy } from './state/ended-life.js';
export { containersEndedBy, type EndedContainers } from './remote/ended-containers.js';
export { configuredNodes, nodeIdOf, remoteNodeNamed, remoteNodes } from './state/configuration.js';
export { resourcesWithHistory } from './state/history.js';
export { nodeStateOf } from './state/node-state.js';
export { changesWritten } from './state/written-changes.js';
export { writtenAttributes, writtenUtilization, type WrittenAttribute } from './state/written-attributes.js';
export { heldAttributes, newestTransient } from './state/dampening.js';
export { transientByNode, type TransientAttribute } from './state/transient-by-node.js';
export { nodeAttributesOf } from './state/node-attributes.js';
export { planTime } from './state/plan-time.js';
export { parseTransitionKey, isDiscovery, isExpected, OP_STATUS, type TransitionKey } from './state/history.js';
export * from './commands/agent-command.js';
export * from './commands/cluster-command.js';
export * from './commands/decision.js';
export * from './commands/worker-command.js';
export * from './commands/operator-command.js';
export { decide, isMeantFor } from './commands/decide.js';
export { commandWarnings, mayWarn } from './commands/command-warnings.js';
export { isStopped } from './commands/decide-restart.js';
export { meantBy, partOf } from './commands/resource-target.js';
export { readConfiguration } from './commands/decide-configuration.js';
export { checkIncarnation, epochChanged, isTroubledAs, lostDelivery, rollCallUnanswered } from './commands/decide-nodes.js';
export { clusterNameTaken, reject } from './commands/rejection.js';
export { secondBootOf } from './commands/second-machine.js';
export { doubtfulResults, droppedResults, type DroppedResult, type DropReason } from './commands/decide-results.js';
export * from './engine/engine-types.js';
export * from './engine/agent-action.js';
export { parameterTraits, type KnownTraits, type ParameterTraits, type TraitsOf } from './engine/known-traits.js';
export { secretIdsIn, withSecrets, type ActionSecrets } from './engine/action-secrets.js';
export { crmEventOf, describe as describeAction, type Engine } from './engine/engine.js';
export { resumeEngine, type DispatchedAction, type RunningState } from './engine/resume.js';
export { outlastsAbort, outlastsAbortInGraph, outlasting } from './engine/outlasting.js';
export { connectionAnswer, connectionHosts, connectionTimedOut, isConnectionAction } from './remote/connection.js';
export { clusterNodes, isClusterMember, isKnownNode, joinedNodes } from './remote/remote-nodes.js';
export { isInContainer } from './remote/runnable.js';
export { mayLeave } from './remote/stranded.js';
export { answersSince, resultOf } from './engine/action-result.js';
export { newsFor } from './engine/news.js';
export { engineLimits, networkAllowanceMs, sameLimits } from './engine/limits.js';
export { loadThreshold } from './engine/load-threshold.js';
export { executingNode, expectedRcOf, indexInSteps, intervalMsOf, timeoutMsOf } from './engine/graph-index.js';
export { hasAlerts } from '@systole/cib';
export { alertOrders, testOrders, type AlertOrder, type AlertProgram, type UntestableAlert } from './alerts/alert-orders.js';
export { failingAlerts } from './alerts/failing-alerts.js';
export { alertOccasions, type AlertOccasion } from './alerts/occasion.js';
export { alertSecretIds, withAlertSecrets } from './alerts/alert-secrets.js';
export { isKeptFrom } from './fencing/device-places.js';
export { executorsFor, fencingStep, judgeAttempt, type FencingOperation, type FencingStep } from './fencing/fencing-step.js';
export {
  countingOf,
  isWatchdog,
  untrueHaveWatchdog,
  watchdogObstacle,
  watchdogTimeout,
  watchdogWaitMs,
  type Counting,
} from './fencing/watchdog.js';
export { repeatedFencing, type RepeatedFencing } from './fencing/repeated-fencing.js';
export { countedFencing, fencingHold, fencingLimit, heldFencing, type FencingHold } from './fencing/fencing-limit.js';
export { requestedFencing } from './fencing/requested-fencing.js';
export { debugActionId, debugIdOf, debuggingOn, isOverdue, toDebugAction } from './debugging/debug-action.js';
export { fenceReaction } from './fencing/fence-reaction.js';
export { shutdownEscalation } from './lease/shutdown-escalation.js';
export { fenceActionId, toFenceAction } from './fencing/fence-action.js';
export { canFence, fencingDevices, type FencingAction, type FencingDevice } from './fencing/device.js';
export { awayNodes, mayRun, mayRunAnything } from './state/stopping.js';
export { countedFailures, mostFencingFailures, recheckIntervalMs, retryPauseMs } from './fencing/failures.js';
export { ableDevices, countsOnWatchdog, fencingPlan, isFenceable, type FencingPlan, type FencingTurn } from './fencing/topology.js';
export { downMarginMs, leaseVerdict, type LeaseVerdict } from './lease/lease.js';
export { leaseLossPolicy, leaseLossTelling, watchdogTelling, type LeaseLossTelling, type WatchdogSaid } from './lease/lease-loss.js';
export { heldBack, type HeldBack } from './lease/held-back.js';
export { knownManaged, leftRunning } from './lease/left-running.js';
export { unknownActive } from './lease/unknown-active.js';
export { actsForAll } from './lease/doubtful-boots.js';
export { absenceHold, lostAndFenced, type AbsenceHold } from './lease/absence-hold.js';
export type { ElapsedSince } from './lease/elapsed-since.js';
export { isRestarted } from './lease/restart.js';
export { plannedMigrations } from './lease/unanswered-migrations.js';
export { unmanagedResources } from './lease/unmanaged.js';
export { comebackHold, planningHold, type PlanningHold } from './lease/planning-hold.js';
export { activationHold, unheardNodes, untoldTickets, type ActivationHold } from './epoch/activation-hold.js';
export { promotionHold, untoldAttributes, type StandingAttribute } from './epoch/attributes-of-before.js';
export { untoldMissingTickets } from './epoch/missing-tickets.js';
export { isHeldContainer } from './epoch/held-containers.js';
export { epochVersion, readVersionText, unchangedSince, versionText, type EpochVersion } from './epoch/epoch-version.js';
export { tellingsOf, waitAfter, type Tellings } from './epoch/tellings.js';
export { epochOf, judgeWitness, type LogHead, type WitnessVerdict } from './epoch/witness.js';
export { countQuorum, quorumOptions, type QuorumCount, type QuorumOptions } from './quorum/quorum.js';
