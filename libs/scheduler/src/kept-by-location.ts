import type { Cib } from '@systole/cib';
import { configuredLocations } from './configured-locations.js';
import { CandidateTable, ProbeMode } from './model/candidates.js';
import { subtree } from './model/cluster.js';
import { opened } from './model/opened.js';
import type { Cluster, ClusterNode, Resource } from './outcome.js';
import { applyLocations } from './placement/criteria.js';
import { readState } from './run.js';

/**
 * From which nodes location constraints keep primitives, whatever else decides about their place (specification 04 §4, §5.4): where their scores add up to less than 0, or another node has
 * exclusive discovery. In an opt-in cluster (`symmetric-cluster=false`, 04 §2.5) that is each node that none of them names; but a primitive for which there are none at all is kept from no
 * node, though it could not be placed anywhere: nobody has said anything of it. What has to be on one node with others, because it stands in a group behind them, is kept from where they are.
 *
 * Health, failures, the nodes' own scores and who is online do not count: those are no constraints.
 *
 * @param now epoch seconds
 * @param ids of primitives, as written
 * @returns names of nodes by the id of the primitive; for one in a clone those from which all of its instances are kept
 * @throws {CibRefused} `too-large` when the CIB names more than can be worked with.
 */
export function keptByLocation(cib: Cib, now: number, ids: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const cluster = opened(readState(cib, { now, scores: false }));
  for (const top of cluster.resources) for (const resource of subtree(top)) resource.candidates.become(new CandidateTable());
  const locations = configuredLocations(cluster);
  applyLocations(cluster);
  const named = new Set(locations.filter(({ role }) => role === undefined).map(({ resource }) => resource));
  const kept = new Map<string, ReadonlySet<string>>();
  for (const leaf of cluster.primitives()) {
    if (!ids.has(leaf.xmlId)) continue;
    const names = cluster.nodes.filter((node) => isKept(cluster, named, leaf, node)).map(({ name }) => name);
    const others = kept.get(leaf.xmlId);
    kept.set(leaf.xmlId, new Set(others === undefined ? names : names.filter((name) => others.has(name))));
  }
  return kept;
}

function isKept(cluster: Cluster, named: ReadonlySet<Resource>, resource: Resource, node: ClusterNode): boolean {
  return togetherWith(resource).some((one) => {
    const { candidates } = one;
    if (candidates.has(node.index) && candidates.score(node.index) < 0) return true;
    if (one.top.exclusiveDiscovery && candidates.mode(node.index) !== ProbeMode.Exclusive) return true;
    return !cluster.options.symmetric && !candidates.has(node.index) && isNamed(named, one);
  });
}

/** The resource, and the members of its group without which it is nowhere. */
function togetherWith(resource: Resource): readonly Resource[] {
  const group = resource.parent?.kind === 'group' && resource.parent.colocated ? resource.parent : undefined;
  return group === undefined ? [resource] : group.children.slice(0, group.children.indexOf(resource) + 1);
}

function isNamed(named: ReadonlySet<Resource>, resource: Resource): boolean {
  for (let at: Resource | undefined = resource; at; at = at.parent) if (named.has(at)) return true;
  return false;
}
