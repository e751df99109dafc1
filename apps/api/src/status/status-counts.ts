import type { ResourceSummaryDto } from '../scheduling/schedule.dto.js';
import type { NodeDto, StatusCountsDto } from './status.dto.js';
import type { ShownResource } from './held-starts.js';

/** How many nodes and resources are in which state: what can be read of a cluster of any size. */
export function countsOf(nodes: readonly NodeDto[], resources: readonly ShownResource[]): StatusCountsDto {
  const inState = { unclean: 0, pending: 0, offline: 0, standby: 0, maintenance: 0, shutdown: 0, online: 0 };
  const machines = nodes.filter(({ kind }) => kind === 'cluster' || kind === 'remote');
  for (const { wrong } of machines) inState[wrong?.[0] ?? 'online'] += 1;
  const of = { total: 0, started: 0, stopped: 0, unknown: 0, promoted: 0, disabled: 0, failed: 0, blocked: 0, unmanaged: 0 };
  for (const { role, disabled, failed, blocked, managed } of primitivesIn(resources)) {
    of.total += 1;
    if (role === 'Stopped') of.stopped += 1;
    else if (role === 'Unknown') of.unknown += 1;
    else of.started += 1;
    if (role === 'Promoted') of.promoted += 1;
    if (disabled === true) of.disabled += 1;
    if (failed) of.failed += 1;
    if (blocked) of.blocked += 1;
    if (!managed) of.unmanaged += 1;
  }
  return { nodes: { total: machines.length, ...inState }, resources: of };
}

/** Everything that runs by itself, also what is no longer configured as long as it runs. */
export function* primitivesIn(resources: readonly ResourceSummaryDto[]): Generator<ResourceSummaryDto> {
  for (const resource of resources) {
    if (resource.kind !== 'primitive') yield* primitivesIn(resource.children);
    else if (!resource.removed || resource.role !== 'Stopped') yield resource;
  }
}
