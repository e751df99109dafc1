import type { FencingRequested } from '../events/cluster-event.js';
import type { AgentAction } from '../engine/agent-action.js';
import type { ClusterState } from '../state/cluster-state.js';
import { clusterOption } from '../state/configuration.js';
import { durationMs } from '../state/duration.js';
import { agentParameters, delayOf, fencingDevices } from './device.js';

const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * What the executor of an attempt is asked to do. Undefined when the device is not configured any more: end the attempt with
 * `complete-fencing`, outcome `failed`.
 *
 * The timeout is `pcmk_<action>_timeout`, else option `fencing-timeout`; the delay before it is `pcmk_delay_base` (of `off` and
 * `reboot`) plus `request.delayMs`. `pcmk_delay_max`'s random share is left out: an attempt is made by one executor at a time, chosen by
 * the server, so two nodes never race to fence one another.
 */
export function toFenceAction(
  state: ClusterState,
  request: FencingRequested['data'],
  context: { readonly clusterId: string },
): AgentAction | undefined {
  const device = fencingDevices(state.cib).find((candidate) => candidate.id === request.device);
  if (device === undefined) return undefined;
  const { fencingId, target, action, delayMs = 0 } = request;
  const timeoutMs = durationMs(
    device.parameters[`pcmk_${action}_timeout`] ?? clusterOption(state.cib, 'fencing-timeout', 'stonith-timeout'),
    DEFAULT_TIMEOUT_MS,
  );
  const startDelayMs = (action === 'on' ? 0 : durationMs(delayOf(device, target), 0)) + delayMs;
  return {
    actionId: `${context.clusterId}:${String(request.transition)}:${String(request.graphActionId)}:${fencingId}`,
    kind: 'fence',
    transitionKey: `${String(request.graphActionId)}:${String(request.transition)}:0:${context.clusterId}`,
    operation: action,
    intervalMs: 0,
    timeoutMs,
    ...(startDelayMs > 0 ? { startDelayMs } : {}),
    expectedRc: 0,
    resource: { id: device.id, historyId: device.id, class: 'stonith', type: device.agent },
    parameters: device.parameters,
    meta: {},
    fence: { fencingId, target, action, deviceId: device.id, agent: device.agent, parameters: agentParameters(device, target, action) },
  };
}
