/**
 * The domain of a cluster, pure. Start at:
 *
 * - `evolve` / `fold`: events -> ClusterState (the CIB included);
 * - `decide`: command + state -> events, or a refusal;
 * - `resumeEngine` + `step`: graph + state + dispatch rows -> what to hand out;
 * - `fencingStep`, `leaseVerdict`, `planningHold`, `countQuorum`: what the worker asks on its timers.
 */
export * from './events/cluster-event.js';
export { describeEvent, type EventDescription } from './events/describe-event.js';
export * from './state/cluster-state.js';
export { resultFrom } from './state/transition-results.js';
export { evolve, fold } from './state/evolve.js';
export { relevance, type Relevance } from './state/relevance.js';
export { configuredNodes, clusterOption, fencingEnabled, nodeIdOf, type ConfiguredNode } from './state/configuration.js';
export { parseTransitionKey, isExpected, OP_STATUS, type TransitionKey } from './state/history.js';
export { durationMs } from './state/duration.js';
export * from './commands/cluster-command.js';
export { decide } from './commands/decide.js';
export { checkIncarnation } from './commands/decide-nodes.js';
export * from './engine/engine-types.js';
export * from './engine/agent-action.js';
export { createEngine, crmEventOf, describe as describeAction, step, unansweredBy } from './engine/engine.js';
export { isRunning, resumeEngine, type DispatchedAction, type RunningState } from './engine/resume.js';
export { resultOf } from './engine/action-result.js';
export { engineLimits } from './engine/limits.js';
export { executingNode, expectedRcOf, intervalMsOf, timeoutMsOf } from './engine/graph-index.js';
export { executorsFor, fencingStep, judgeAttempt, type FencingOperation, type FencingStep } from './fencing/fencing-step.js';
export { toFenceAction } from './fencing/fence-action.js';
export { canFence, fencingDevices, type FencingAction, type FencingDevice } from './fencing/device.js';
export { countedFailures, recheckIntervalMs } from './fencing/failures.js';
export { fencingPlan, type FencingPlan, type FencingTurn } from './fencing/topology.js';
export { agentActsAt, agentLeaseEnd, downMarginMs, leaseVerdict, renewedUntil, type LeaseVerdict } from './lease/lease.js';
export { stopTimeoutMs } from './lease/stop-timeout.js';
export { unmanagedResources } from './lease/unmanaged.js';
export { planningHold, type PlanningHold } from './lease/planning-hold.js';
export { countQuorum, quorumOptions, type QuorumCount, type QuorumOptions } from './quorum/quorum.js';
