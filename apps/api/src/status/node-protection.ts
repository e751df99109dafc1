import { readingOf } from '@systole/cib';
import { fencingPlan, memberOf, planTime, watchdogWaitMs, type ClusterState } from '@systole/cluster';
import type { NodeProtectionDto } from './status.dto.js';

/** What fences a node as things are; undefined where fencing is switched off. */
export function protectionOf(state: ClusterState, node: string): NodeProtectionDto | undefined {
  if (!readingOf(state.cib, planTime(state)).options.flag('fencing-enabled')) return undefined;
  const devices = [...new Set(fencingPlan(state, node, 'off').flatMap((level) => level.map(({ device }) => device.id)))];
  const watchdog = memberOf(state, node)?.watchdog;
  const countedAfterMs = watchdogWaitMs(state, node);
  if (watchdog === undefined) return { devices };
  return { devices, watchdog: { ...watchdog, ...(countedAfterMs === undefined ? {} : { countedAfterMs }) } };
}
