import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import type { Replica, Resource } from '../model/resource.js';
import { placing } from '../model/resource/placing.js';
import { INFINITY } from '../model/score.js';
import type { ScoreCause } from '../model/score-trail.js';
import { addColocation } from '../requests/colocations.js';
import type { Assign } from './assignment.js';
import { bannedByThreshold } from './criteria.js';
import { sortInstances } from './instance-order.js';
import { placeInstances } from './place-instances.js';
import { logTree } from './score-log.js';
import type { Step } from '../model/step.js';

const BUNDLE_NODE: ScoreCause = { kind: 'bundle-node' };

/**
 * How many scores of its containers a bundle may list, all its assignments together. Whatever is colocated with it assigns it again, and a bundle that is colocated
 * with itself begins anew with each of its containers: a hundred of them would go round ten thousands of times (specification 05 §13.2).
 */
const MOST_LISTED = 200_000;

/** Assigns a bundle: containers, then what belongs to each, then the service inside (specification 05 §13.2). It has no guard against repetition. */
export function* assignBundle(
  cluster: Cluster,
  assign: Assign,
  bundle: Resource,
  preferred: ClusterNode | undefined,
  tentative: boolean,
): Step<undefined> {
  const settings = bundle.bundle;
  if (!settings) return undefined;
  if (++placing(bundle).rounds > mostRounds(cluster, settings.replicas.length)) {
    if (bundle.unassigned)
      cluster.warn(`Bundle ${bundle.id} is colocated in circles that go round too often; remove its colocation with itself`);
    placing(bundle).unassigned = false;
    return undefined;
  }
  placing(bundle).assigning = true;
  logTree(cluster, 'pcmk__bundle_assign', bundle);
  const containers = settings.replicas.map(({ container }) => container);
  sortInstances(cluster, containers, bundle);
  yield placeInstances(cluster, assign, bundle, containers, settings.replicas.length, settings.replicasPerHost);
  for (const replica of settings.replicas) yield assignReplica(assign, cluster, settings.inner, replica, preferred, tentative);
  const { inner } = settings;
  if (inner) {
    for (const index of inner.candidates.indexes()) {
      const own = settings.replicas.some(({ node }) => node?.index === index);
      inner.candidates.setScore(index, own ? 0 : -INFINITY, BUNDLE_NODE);
    }
    yield assign(inner, preferred, tentative);
  }
  placing(bundle).assigning = false;
  placing(bundle).unassigned = false;
  return undefined;
}

/** Small bundles have all the rounds that the reference gives them. */
function mostRounds(cluster: Cluster, replicas: number): number {
  return Math.max(10, Math.floor(MOST_LISTED / (Math.max(1, replicas) * cluster.nodes.length)));
}

function* assignReplica(
  assign: Assign,
  cluster: Cluster,
  inner: Resource | undefined,
  { ip, container, connection, child, node }: Replica,
  preferred: ClusterNode | undefined,
  tentative: boolean,
): Step<undefined> {
  if (ip) yield assign(ip, preferred, tentative);
  const host = container.assignedNode;
  if (connection) {
    if (host?.remoteType && host.connection && connection.unassigned) {
      addColocation(cluster, {
        id: '#replica-remote-with-host-remote',
        dependent: connection,
        primary: host.connection,
        score: INFINITY,
        dependentRole: undefined,
        primaryRole: undefined,
        nodeAttribute: '#uname',
        explicit: false,
        influence: true,
      });
    }
    yield assign(connection, preferred, tentative);
  }
  if (child && node && inner) {
    for (const index of child.candidates.indexes()) {
      if (index !== node.index) child.candidates.setScore(index, -INFINITY, BUNDLE_NODE);
      else if (!bannedByThreshold(cluster, child, node)) child.candidates.setScore(index, INFINITY, BUNDLE_NODE);
    }
    placing(inner).assigning = true;
    yield assign(child, node, tentative);
    placing(inner).assigning = false;
  }
  return undefined;
}
