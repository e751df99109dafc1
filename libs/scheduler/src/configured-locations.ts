import { childrenNamed } from '@systole/cib';
import { unpackLocation } from './input/constraints/location.js';
import { opened } from './model/opened.js';
import type { Cluster, LocationConstraint } from './outcome.js';

/**
 * The location constraints of a cluster that was read and is not planned for, with the scores that they give to nodes: those of the configuration alone, in its order. They are the cluster's
 * from then on.
 *
 * @throws {CibRefused} `too-large` when they name more than can be worked with.
 */
export function configuredLocations(read: Cluster): readonly LocationConstraint[] {
  const cluster = opened(read);
  cluster.locations = [];
  const section = cluster.cib.section('constraints');
  for (const constraint of section ? childrenNamed(section, 'rsc_location') : []) {
    cluster.expansion.enterConstraint(constraint);
    unpackLocation(cluster, constraint);
  }
  return cluster.locations;
}
