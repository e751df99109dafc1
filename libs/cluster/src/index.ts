/**
 * The domain of a cluster, pure. Start at:
 *
 * - `evolve` / `fold`: events -> ClusterState (the CIB included);
 * - `decide`: command + state -> events, or a refusal;
 * - `resumeEngine` + `step`: graph + state + dispatch rows -> what to hand out;
 * - `fencingStep`, `leaseVerdict`, `planningHold`, `countQuorum`: what the worker asks on its timers.
 */
export type { GraphAction, TransitionGraph } from '@systole/scheduler';
export * from './events/cluster-event.js';
export { describeEvent, type EventDescription } from './events/describe-event.js';
export * from './state/cluster-state.js';
export { resultFrom } from './state/transition-results.js';
export { evolve, fold } from './state/evolve.js';
export { disturbanceBy } from './state/disturbance.js';
export { relevance, relevantSince, type Relevance } from './state/relevance.js';
export { configuredNodes, nodeIdOf } from './state/configuration.js';
export { resourcesWithHistory } from './state/history.js';
export { nodeStateOf } from './state/node-state.js';
export { nodeAttributesOf } from './state/node-attributes.js';
export { planTime } from './state/plan-time.js';
export { parseTransitionKey, isExpected, OP_STATUS, type TransitionKey } from './state/history.js';
export * from './commands/cluster-command.js';
export { decide } from './commands/decide.js';
export { readConfiguration } from './commands/decide-configuration.js';
export { checkIncarnation, epochChanged, isTroubledAs } from './commands/decide-nodes.js';
export { clusterNameTaken } from './commands/rejection.js';
export { secondBootOf } from './commands/second-machine.js';
export { doubtfulResults } from './commands/decide-results.js';
export * from './engine/engine-types.js';
export * from './engine/agent-action.js';
export { crmEventOf, describe as describeAction, step, unansweredBy } from './engine/engine.js';
export { resumeEngine, type DispatchedAction, type RunningState } from './engine/resume.js';
export { resultOf } from './engine/action-result.js';
export { engineLimits } from './engine/limits.js';
export { executingNode, expectedRcOf, intervalMsOf, timeoutMsOf } from './engine/graph-index.js';
export { isKeptFrom } from './fencing/device-places.js';
export { executorsFor, fencingStep, judgeAttempt, type FencingOperation, type FencingStep } from './fencing/fencing-step.js';
export { countedFencing, fencingHold, fencingLimit, heldFencing, type FencingHold } from './fencing/fencing-limit.js';
export { requestedFencing } from './fencing/requested-fencing.js';
export { toFenceAction } from './fencing/fence-action.js';
export { canFence, fencingDevices, type FencingAction, type FencingDevice } from './fencing/device.js';
export { awayNodes, mayRunAnything } from './state/stopping.js';
export { countedFailures, mostFencingFailures, recheckIntervalMs, retryPauseMs } from './fencing/failures.js';
export { fencingPlan, type FencingPlan, type FencingTurn } from './fencing/topology.js';
export { downMarginMs, leaseVerdict, type LeaseVerdict } from './lease/lease.js';
export { leaseLossPolicy, leaseLossTelling, type LeaseLossTelling } from './lease/lease-loss.js';
export { heldBack, type HeldBack } from './lease/held-back.js';
export { knownManaged, leftRunning } from './lease/left-running.js';
export { absenceHold, lostAndFenced, type AbsenceHold } from './lease/absence-hold.js';
export { isRestarted } from './lease/restart.js';
export { unmanagedResources } from './lease/unmanaged.js';
export { comebackHold, planningHold, type PlanningHold } from './lease/planning-hold.js';
export { activationHold, unheardNodes, type ActivationHold } from './epoch/activation-hold.js';
export { epochVersion, readVersionText, versionText, type EpochVersion } from './epoch/epoch-version.js';
export { tellingsOf, waitAfter, type Tellings } from './epoch/tellings.js';
export { epochOf, judgeWitness, type LogHead, type WitnessVerdict } from './epoch/witness.js';
export { countQuorum, quorumOptions, type QuorumCount, type QuorumOptions } from './quorum/quorum.js';
