import { INFINITY_SCORE, parseScore } from '@systole/cib';
import {
  canFence,
  configuredNodes,
  executorsFor,
  fencingDevices,
  fencingPlan,
  isKeptFrom,
  isWatchdog,
  joinedNodes,
  watchdogObstacle,
  watchdogTimeout,
  type ClusterState,
  type FencingDevice,
} from '@systole/cluster';
import { failCountsIn } from './failures.js';
import type { SafetyNoteDto } from './status.dto.js';

/**
 * Where fencing is switched on: nodes that nothing fences as things are: no device covers them; or every device that could failed to start on all the nodes that could run it, is stopped (`target-role`), or is kept by location constraints from
 * all other nodes. Fencing them is tried with devices that failed, and that fails, most likely, and not at all with those that are kept away; better to know that before it is needed.
 *
 * @param now epoch ms, for rules
 */
export function unfitDevices(state: ClusterState, now: number): readonly SafetyNoteDto[] {
  const devices = fencingDevices(state.cib, now);
  // That nothing is there to fence with is said of the whole cluster (`no-fence-device`).
  if (devices.every(({ disabled }) => disabled) && watchdogTimeout(state, now) === undefined) return [];
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
    if (stopped.length > 0) return `${stopped.map(({ id }) => id).join(', ')} is stopped (target-role): start it`;
    // What a device can fence may be known only from where it can run.
    if (devices.some(({ differsByNode }) => differsByNode) && joinedNodes(state).length === 0) return undefined;
    const watchdog = watchdogObstacle(state, target);
    if (watchdog !== undefined) return `no fence device covers it, and ${watchdog}: nothing that ran there would start elsewhere`;
    return 'no fence device covers it, by its hosts (pcmk_host_list, pcmk_host_map) or by fencing levels whose devices are all there: nothing that ran there would start elsewhere. Add it to a device';
  }
  const others = configuredNodes(state.cib).filter(({ name }) => name !== target);
  const obstacle = (device: FencingDevice): string | undefined => {
    if (isWatchdog(device)) return undefined;
    if (others.length > 0 && others.every(({ name }) => isKeptFrom(state, device, name))) {
      const [left, wayOut] = isKeptFrom(state, device, target)
        ? ['every node', 'allow it on one of them']
        : [`every node but ${target} itself`, 'allow it on another one'];
      return `location constraints keep ${device.id} from ${left}: ${wayOut}`;
    }
    const nodes = executorsFor(state, device, target);
    if (nodes.length === 0 || nodes.some((node) => !failed.has(keyOf(device.id, node)))) return undefined;
    return `${device.id} failed to start on ${nodes.toSorted().join(', ')}: repair and clean up the device`;
  };
  if (plan.some((level) => level.every(({ device, optional }) => optional || obstacle(device) === undefined))) return undefined;
  return [...new Set(plan.flat().map(({ device }) => device))].flatMap((device) => obstacle(device) ?? []).join('; ');
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
