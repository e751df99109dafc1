import { INFINITY_SCORE, parseScore } from '@systole/cib';
import {
  canFence,
  configuredNodes,
  executorsFor,
  fencingDevices,
  fencingPlan,
  type ClusterState,
  type FencingDevice,
} from '@systole/cluster';
import { failCountsIn } from './failures.js';
import type { SafetyNoteDto } from './status.dto.js';

/**
 * Where fencing is switched on: nodes that nothing fences as things are: every device that could failed to start on all the nodes that could run it, or is stopped (`target-role`). Fencing them
 * is tried with devices that failed, and that fails, most likely; better to know that before it is needed.
 *
 * @param now epoch ms, for rules
 */
export function unfitDevices(state: ClusterState, now: number): readonly SafetyNoteDto[] {
  const devices = fencingDevices(state.cib, now);
  // That nothing is there to fence with is said of the whole cluster (`no-fence-device`).
  if (devices.every(({ disabled }) => disabled)) return [];
  const failed = failedStarts(state, now);
  const targetsOf = new Map<string, string[]>();
  for (const { name } of configuredNodes(state.cib)) {
    const reason = unfitFor(state, name, devices, failed);
    if (reason !== undefined) targetsOf.set(reason, [...(targetsOf.get(reason) ?? []), name]);
  }
  return [...targetsOf].map(([reason, targets]) => ({
    code: 'fencing-unfit',
    text: `Fencing of ${targets.join(', ')} can't be expected to work: ${reason}.`,
  }));
}

function unfitFor(state: ClusterState, target: string, devices: readonly FencingDevice[], failed: ReadonlySet<string>): string | undefined {
  const plan = fencingPlan(state, target, 'off');
  if (plan.length === 0) {
    const stopped = devices.filter((device) => device.disabled && canFence({ ...device, disabled: false }, target));
    return stopped.length === 0 ? undefined : `${stopped.map(({ id }) => id).join(', ')} is stopped (target-role): start it`;
  }
  const failedOn = (device: FencingDevice): readonly string[] => {
    const nodes = executorsFor(state, device, target);
    return nodes.every((node) => failed.has(keyOf(device.id, node))) ? nodes : [];
  };
  if (plan.some((level) => level.every(({ device, optional }) => optional || failedOn(device).length === 0))) return undefined;
  const unfit = [...new Set(plan.flat().map(({ device }) => device))].flatMap((device) => {
    const nodes = failedOn(device);
    return nodes.length === 0 ? [] : [`${device.id} failed to start on ${nodes.toSorted().join(', ')}`];
  });
  return `${unfit.join('; ')}: repair and clean up the device`;
}

/** Where which resource may not be started any more. */
function failedStarts(state: ClusterState, now: number): ReadonlySet<string> {
  return new Set(
    failCountsIn(state, now).flatMap(({ resource, node, operation, count }) =>
      operation === 'start' && parseScore(count) === INFINITY_SCORE ? [keyOf(resource, node)] : [],
    ),
  );
}

function keyOf(resource: string, node: string): string {
  return JSON.stringify([resource, node]);
}
