import { ProbeMode } from '../../model/candidates.js';
import type { Cluster } from '../../model/cluster.js';
import type { LocationConstraint } from '../../model/constraints.js';
import { defining } from '../../model/resource/defining.js';

/** Keeps a location constraint; the one that was created last is applied first (specification 04 §4.5). */
export function keepLocation(cluster: Cluster, location: LocationConstraint): void {
  const resource = defining(location.resource);
  if (location.probeMode === ProbeMode.Exclusive) resource.exclusiveAsDefined = true;
  cluster.locations.push(location);
  resource.locations.push(location);
}
