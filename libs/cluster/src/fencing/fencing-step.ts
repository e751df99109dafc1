import { childrenNamed } from '@systole/cib';
import type { FencingCompleted, FencingRequested, UnfencingDigests } from '../events/cluster-event.js';
import { memberOf, type ClusterState, type FencingOutcome, type PendingFencing } from '../state/cluster-state.js';
import { joinedNodes } from '../remote/remote-nodes.js';
import { historyOf } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { resultFrom, SERVER } from '../state/transition-results.js';
import { planTime } from '../state/plan-time.js';
import { actionLimit, canFence, maxTries, onNode, randomDelayMs, type FencingAction, type FencingDevice } from './device.js';
import { isKeptFrom } from './device-places.js';
import { countedFailures, mostFencingFailures } from './failures.js';
import { actionFor } from './requested-fencing.js';
import { fencingPlan, type FencingPlan, type FencingTurn } from './topology.js';
import { isWatchdog, watchdogObstacle, watchdogWaitMs } from './watchdog.js';

/** A `stonith` action of the running transition. */
export interface FencingOperation {
  readonly transition: number;
  readonly graphActionId: number;
  readonly target: string;
  readonly action: FencingAction;
  /** From the `fence` effect. */
  readonly delayMs?: number;
  readonly digests?: UnfencingDigests;
}

/** What to do next about a fencing operation. */
export type FencingStep =
  /**
   * Append FencingRequested with `request` (give it a `fencingId`, and as `randomDelayMs` a number drawn from 0 to `randomBelowMs` where that is more than 0), then
   * dispatch `toFenceAction` to `request.executor`.
   */
  | { readonly type: 'request'; readonly request: Omit<FencingRequested['data'], 'fencingId'>; readonly randomBelowMs: number }
  /** The device is at work on as many nodes as it may at a time: ask again when one of them is done. `reason` is for people. */
  | { readonly type: 'queued'; readonly reason: string }
  /** The target's watchdog is to reset it: see `countingOf`. */
  | { readonly type: 'count'; readonly request: PendingFencing }
  /** An attempt is under way. */
  | { readonly type: 'wait'; readonly request: FencingRequested['data'] }
  /**
   * Nothing can be tried: no device can fence the target, no node can run it, or it failed too often. The operation stays open until
   * something changes: a node joins, the configuration changes, the device is cleaned up, a person confirms that the node is down, or a new
   * transition is planned after `cluster-recheck-interval`. `reason` is for status.
   */
  | { readonly type: 'held'; readonly reason: string }
  /** It is over: tell the engine `performed`. */
  | { readonly type: 'finished'; readonly ok: boolean };

/**
 * The next step of a fencing operation. Pure: call it after each change of state until it says `finished`, `wait`, `queued` or `held`.
 *
 * The worker, for each `perform` effect of kind `fence`, and again whenever the state changed: `request` -> append, dispatch; `finished` ->
 * `step(engine, {type: 'performed'})`. An attempt that no executor answers within the device's timeout plus `cluster-delay` is ended by
 * command `complete-fencing` with outcome `timeout`.
 */
export function fencingStep(state: ClusterState, planned: FencingOperation): FencingStep {
  const operation = { ...planned, action: actionFor(state, planned.target, planned.action, planTime(state)) };
  const pending = Object.values(state.fencing).find((request) => belongs(request, operation));
  if (pending?.watchdogMs !== undefined) return { type: 'count', request: pending };
  if (pending !== undefined) return { type: 'wait', request: pending };
  const target = memberOf(state, operation.target);
  if (operation.action !== 'on' && (target?.membership === 'down' || target?.membership === 'left')) return { type: 'finished', ok: true };
  const { transition } = state;
  const result = transition?.number === operation.transition ? resultFrom(transition, operation.graphActionId, SERVER) : undefined;
  if (result !== undefined) return { type: 'finished', ok: result.ok };

  const outcomes = outcomesOf(state, operation);
  const plan = fencingPlan(state, operation.target, operation.action);
  if (plan.length === 0) {
    const watchdog = watchdogObstacle(state, operation.target);
    const besides = watchdog === undefined ? '' : `, nor can its watchdog (${watchdog})`;
    return { type: 'held', reason: `no fence device can fence ${operation.target}${besides}: add one, or confirm that the node is down` };
  }
  const permitted = permittedPart(state, plan, operation.target, outcomes);
  if (permitted.length === 0) {
    const kept = [...new Set(plan.flat().map(({ device }) => device))].filter((device) => isKeptOut(state, device, operation.target));
    const devices = kept.map(({ id }) => id).join(', ');
    const reason = `location constraints keep ${devices} from every node that is online and could fence ${operation.target} by it: allow it on one of them, or confirm that ${operation.target} is down`;
    return { type: 'held', reason };
  }
  const failures = countedFailures(state, operation.target);
  if (failures >= mostFencingFailures(state.cib, planTime(state))) {
    return {
      type: 'held',
      reason: `fencing of ${operation.target} failed ${String(failures)} times: repair the device and clean it up, or confirm that the node is down`,
    };
  }
  const progress = walk(permitted, outcomes);
  if (progress.type !== 'turn') return { type: 'finished', ok: progress.type === 'succeeded' };
  if (isWatchdog(progress.turn.device)) {
    return {
      type: 'request',
      randomBelowMs: 0,
      request: { ...requestOf(operation, progress.turn, outcomes), ...selfFencing(state, operation.target) },
    };
  }
  const executors = executorsFor(state, progress.turn.device, operation.target, operation.action);
  const executor = executors[progress.tries % executors.length];
  const { device, action } = progress.turn;
  if (executor === undefined) return { type: 'held', reason: `no node is online to run fence device ${device.id}` };
  const underWay = atWork(state, device);
  if (underWay.length >= actionLimit(device)) {
    return { type: 'queued', reason: `fence device ${device.id} is at work on ${underWay.join(', ')} (pcmk_action_limit)` };
  }
  return {
    type: 'request',
    randomBelowMs: action === 'on' ? 0 : randomDelayMs(onNode(state, device, executor), operation.target),
    request: {
      ...requestOf(operation, progress.turn, outcomes),
      executor,
      ...(operation.delayMs === undefined || outcomes.length > 0 ? {} : { delayMs: operation.delayMs }),
      ...(operation.digests === undefined ? {} : { digests: operation.digests }),
    },
  };
}

function requestOf(
  operation: FencingOperation,
  { device, action }: FencingTurn,
  outcomes: readonly FencingOutcome[],
): Omit<FencingRequested['data'], 'fencingId' | 'executor'> {
  return {
    target: operation.target,
    action,
    ...(action === operation.action ? {} : { wanted: operation.action }),
    device: device.id,
    attempt: outcomes.length + 1,
    transition: operation.transition,
    graphActionId: operation.graphActionId,
  };
}

/** Nobody but the target does anything: what would delay others, it does not. */
function selfFencing(state: ClusterState, target: string): Pick<FencingRequested['data'], 'executor' | 'watchdogMs'> {
  return { executor: target, watchdogMs: watchdogWaitMs(state, target) ?? 0 };
}

/** On whom a device is at work, as far as anybody does it: an executor that is gone will be given up. */
function atWork(state: ClusterState, { id }: FencingDevice): readonly string[] {
  return Object.values(state.fencing)
    .filter(({ device, executor }) => device === id && memberOf(state, executor)?.membership === 'joined')
    .map(({ target }) => target);
}

/**
 * What the outcome of an attempt means for the whole: `confirmed`, the target is fenced; `exhausted`, nothing is left to try. Used by
 * `decide` to complete the event.
 */
export function judgeAttempt(
  state: ClusterState,
  request: FencingRequested['data'],
  result: FencingCompleted['data'],
): { readonly confirmed: boolean; readonly exhausted: boolean } {
  // A count that came to nothing says nothing about the watchdog.
  if (request.watchdogMs !== undefined && result.outcome !== 'succeeded') return { confirmed: false, exhausted: false };
  const outcomes = [...outcomesOf(state, request), { graphActionId: request.graphActionId, attempt: request.attempt, result }];
  const plan = fencingPlan(state, request.target, request.wanted ?? request.action);
  const progress = walk(permittedPart(state, plan, request.target, outcomes), outcomes);
  return { confirmed: progress.type === 'succeeded', exhausted: progress.type === 'failed' };
}

function belongs(of: { readonly transition: number; readonly graphActionId: number }, to: typeof of): boolean {
  return of.transition === to.transition && of.graphActionId === to.graphActionId;
}

function outcomesOf(state: ClusterState, of: { readonly transition: number; readonly graphActionId: number }): readonly FencingOutcome[] {
  if (state.transition?.number !== of.transition) return [];
  return state.transition.fencing.filter((outcome) => outcome.graphActionId === of.graphActionId);
}

/** The levels without those that need a device which location constraints leave to nobody who is online. What was tried by then counts, wherever the device may be used now. */
function permittedPart(state: ClusterState, plan: FencingPlan, target: string, outcomes: readonly FencingOutcome[]): FencingPlan {
  const tried = new Set(outcomes.map(({ result }) => result.device));
  return plan.filter((level) =>
    level.every(({ device }) => tried.has(device.id) || isWatchdog(device) || !isKeptOut(state, device, target)),
  );
}

/** Whether location constraints keep a device from all nodes that are online and could use it otherwise. */
function isKeptOut(state: ClusterState, device: FencingDevice, target: string): boolean {
  const able = ableNodes(state, device, target);
  return able.length > 0 && able.every((name) => isKeptFrom(state, device, name));
}

/** Joined nodes from which the device can fence the target. */
function ableNodes(state: ClusterState, device: FencingDevice, target: string): readonly string[] {
  return joinedNodes(state).filter((name) => !device.differsByNode || canFence(onNode(state, device, name), target));
}

type Progress =
  | { readonly type: 'turn'; readonly turn: FencingTurn; readonly tries: number }
  | { readonly type: 'succeeded' }
  | { readonly type: 'failed' };

/** Where the outcomes so far have led in the plan. */
function walk(plan: FencingPlan, outcomes: readonly FencingOutcome[]): Progress {
  let level = 0;
  let position = 0;
  let tries = 0;
  for (const { result } of outcomes) {
    const turn = plan[level]?.[position];
    if (turn?.device.id !== result.device || turn.action !== result.action) continue;
    tries += 1;
    if (result.outcome !== 'succeeded' && result.unable !== true && tries < maxTries(turn.device, turn.action)) continue;
    tries = 0;
    if (result.outcome === 'succeeded' || turn.optional) position += 1;
    else {
      level += 1;
      position = 0;
    }
    if (position > 0 && position === plan[level]?.length) return { type: 'succeeded' };
  }
  const turn = plan[level]?.[position];
  return turn === undefined ? { type: 'failed' } : { type: 'turn', turn, tries };
}

/**
 * Nodes that can run the device, best first: joined nodes on which it is active, then other joined nodes by name, and the target itself
 * only when it is the only one left. A node unfences itself while it can: only it may know its own keys (SCSI reservations). Never one from which location constraints keep the device.
 */
export function executorsFor(state: ClusterState, device: FencingDevice, target: string, action: FencingAction = 'off'): readonly string[] {
  const joined = ableNodes(state, device, target)
    .filter((name) => !isKeptFrom(state, device, name))
    .toSorted();
  if (action === 'on' && joined.includes(target)) return [target];
  const others = joined.filter((name) => name !== target);
  const active = others.filter((name) => isActive(state, device.id, name));
  const ordered = [...active, ...others.filter((name) => !active.includes(name))];
  return ordered.length > 0 ? ordered : joined;
}

/** Whether the history says that the resource was last started there. */
function isActive(state: ClusterState, resource: string, node: string): boolean {
  const member = memberOf(state, node);
  const history = historyOf(member === undefined ? undefined : nodeStateOf(state.cib, member), resource);
  if (history === undefined) return false;
  return childrenNamed(history, 'lrm_rsc_op').some(
    ({ attributes }) => attributes['id'] === `${resource}_last_0` && attributes['operation'] === 'start' && attributes['rc-code'] === '0',
  );
}
