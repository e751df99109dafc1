import { intervalMs, parseInterval, readingOf } from '@systole/cib';
import type { FencingRequested } from '../events/cluster-event.js';
import type { AgentAction, AgentFence, FenceQuestion } from '../engine/agent-action.js';
import type { ClusterState, PendingDebug } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';
import {
  agentParameters,
  delayOf,
  fencingDevices,
  hostCheckOf,
  maxTries,
  namesNoArgument,
  onNode,
  type DeviceAction,
  type FencingAction,
  type FencingDevice,
} from './device.js';

/** By which id an attempt is handed out to its executor. @param epoch of the log in which it was asked for */
export function fenceActionId(
  epoch: string,
  { transition, graphActionId, fencingId }: Pick<FencingRequested['data'], 'transition' | 'graphActionId' | 'fencingId'>,
): string {
  return `${epoch}:${String(transition)}:${String(graphActionId)}:${fencingId}`;
}

/**
 * What the executor of an attempt is asked to do, with the device's parameters as they are there. Undefined when the device is not configured any more: end the attempt with
 * `complete-fencing`, outcome `failed`.
 *
 * The timeout is `pcmk_<action>_timeout`, else option `fencing-timeout`; the delay before it is `pcmk_delay_base` (of `off` and
 * `reboot`) plus what the request says: the share of the priority, and what was drawn at random.
 */
export function toFenceAction(
  state: ClusterState,
  request: FencingRequested['data'],
  context: { readonly epoch: string },
): AgentAction | undefined {
  const now = planTime(state);
  const configured = fencingDevices(state.cib, now).find((candidate) => candidate.id === request.device);
  if (configured === undefined) return undefined;
  const device = onNode(state, configured, request.executor);
  const { fencingId, target, action, delayMs = 0, randomDelayMs = 0 } = request;
  const timeoutMs = fencingTimeoutMs(state, device, action);
  const startDelayMs = (action === 'on' ? 0 : intervalMs(delayOf(device, target))) + delayMs + randomDelayMs;
  return {
    actionId: fenceActionId(context.epoch, request),
    kind: 'fence',
    transitionKey: `${String(request.graphActionId)}:${String(request.transition)}:0:${context.epoch}`,
    operation: action,
    intervalMs: 0,
    timeoutMs,
    ...(startDelayMs > 0 ? { startDelayMs } : {}),
    expectedRc: 0,
    resource: { id: device.id, historyId: device.id, class: 'stonith', type: device.agent },
    parameters: device.parameters,
    meta: {},
    fence: fenceOrder(state, device, { fencingId, target, action }),
  };
}

/** How long a device may take for an action, ms: `pcmk_<action>_timeout`, else option `fencing-timeout`. */
export function fencingTimeoutMs(state: ClusterState, device: Pick<FencingDevice, 'parameters'>, action: DeviceAction): number {
  const own = device.parameters[`pcmk_${action}_timeout`];
  const ownMs = own === undefined ? undefined : parseInterval(own);
  return ownMs ?? readingOf(state.cib, planTime(state)).options.duration('fencing-timeout');
}

/** What the executor is asked to do to switch a node on. Undefined when the device is not configured any more. */
export function toPowerOn(
  state: ClusterState,
  { resource, node, target = '', debugId }: Pick<PendingDebug, 'resource' | 'node' | 'target' | 'debugId'>,
): Pick<AgentAction, 'resource' | 'parameters' | 'fence'> | undefined {
  const configured = fencingDevices(state.cib, planTime(state)).find((candidate) => candidate.id === resource);
  if (configured === undefined) return undefined;
  const device = onNode(state, configured, node);
  return {
    resource: { id: device.id, historyId: device.id, class: 'stonith', type: device.agent },
    parameters: device.parameters,
    fence: fenceOrder(state, device, { fencingId: debugId, target, action: 'on' }),
  };
}

/** Whom, by what, how, and what is asked of the device first. */
function fenceOrder(
  state: ClusterState,
  device: FencingDevice,
  { fencingId, target, action }: { readonly fencingId: string; readonly target: string; readonly action: FencingAction },
): AgentFence {
  const check = hostQuestionsOf(state, device);
  return {
    ...{ fencingId, target, action, deviceId: device.id, agent: device.agent, parameters: agentParameters(device, target, action) },
    ...(namesNoArgument(device) ? { argumentByAgent: true } : {}),
    ...(check === undefined ? {} : { check }),
  };
}

/** How the executor makes sure that the device can fence the target; undefined where the configuration says it. */
function hostQuestionsOf(state: ClusterState, device: FencingDevice): AgentFence['check'] {
  const how = hostCheckOf(device);
  if (how === 'static-list' || how === 'none') return undefined;
  const question = (action: 'list' | 'status'): FenceQuestion => ({
    action: device.parameters[`pcmk_${action}_action`] ?? action,
    timeoutMs: fencingTimeoutMs(state, device, action),
    tries: maxTries(device, action),
  });
  return { how, list: question('list'), status: question('status') };
}
