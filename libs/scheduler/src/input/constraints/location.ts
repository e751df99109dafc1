import { posixPattern, type XmlElement } from '@systole/cib';
import { ProbeMode } from '../../model/candidates.js';
import type { Cluster } from '../../model/cluster.js';
import type { Resource } from '../../model/resource.js';
import type { Submatches } from './asked-resource.js';
import { keepLocation } from './keep-location.js';
import { scoresOf } from './location-scores.js';
import { forEachNamed, hasSets } from './references.js';

/** Keeps a location constraint for a resource that it names. */
type Keep = (resource: Resource, submatches: Submatches) => void;

/** `rsc_location` (specification 04 §4). */
export function unpackLocation(cluster: Cluster, constraint: XmlElement): void {
  const { id, 'rsc-pattern': pattern } = constraint.attributes;
  if (id === undefined) return;
  const keepers = new Map<XmlElement | undefined, Keep>();
  // Read where there is somebody whom it is for, and once for all that are named in one way: a tag may hold thousands.
  const keep = (resource: Resource, set: XmlElement | undefined, submatches: Submatches): void => {
    let keeper = keepers.get(set);
    if (keeper === undefined) keepers.set(set, (keeper = keeperOf(cluster, constraint, set)));
    keeper(resource, submatches);
  };
  const complete = forEachNamed(cluster, constraint, 'Location', 'role', (resource, set) => {
    keep(resource, set, undefined);
  });
  if (!complete || pattern === undefined || hasSets(constraint)) return;
  forEachMatch(cluster, constraint, pattern, (resource, submatches) => {
    keep(resource, undefined, submatches);
  });
}

function forEachMatch(cluster: Cluster, constraint: XmlElement, pattern: string, visit: Keep): void {
  const inverted = pattern.startsWith('!');
  const match = posixPattern(inverted ? pattern.slice(1) : pattern);
  if (!match) {
    cluster.error(`Ignoring location constraint ${constraint.attributes['id'] ?? ''}: "${pattern}" is no regular expression`);
    return;
  }
  for (const resource of cluster.resources) {
    const groups = match(resource.id);
    if ((groups === undefined) === inverted) visit(resource, groups);
  }
}

/** @param set by which the resources are named, if it is one: its role and score go before those of the constraint */
function keeperOf(cluster: Cluster, constraint: XmlElement, set: XmlElement | undefined): Keep {
  const { id = '', role, score } = constraint.attributes;
  const own = set?.attributes ?? {};
  const probeMode = discoveryMode(cluster, constraint);
  const scores = scoresOf(cluster, constraint, { role: own['role'] ?? role, score: own['score'] ?? score });
  if (scores === undefined) return () => undefined;
  const cause = { kind: 'location', constraint: id } as const;
  return (resource, submatches) => {
    keepLocation(cluster, { id, cause, resource, role: scores.role, nodes: scores.nodesFor(resource, submatches), probeMode });
  };
}

function discoveryMode(cluster: Cluster, constraint: XmlElement): ProbeMode {
  const text = constraint.attributes['resource-discovery']?.toLowerCase();
  switch (text) {
    case 'never':
      return ProbeMode.Never;
    case 'exclusive':
      return ProbeMode.Exclusive;
    case undefined:
    case 'always':
      return ProbeMode.Always;
    default:
      cluster.error(`Location constraint ${constraint.attributes['id'] ?? ''}: "${text}" is no resource-discovery; using "always"`);
      return ProbeMode.Always;
  }
}
