import { isConnectionAgent, readingOf, type ConfiguredResource, type ImpliedNode } from '@systole/cib';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { remoteNodeNamed, remoteNodes } from '../state/configuration.js';
import { configuredHistory } from '../state/configured-history.js';
import { historyOf, mayBeActive } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';
import { isClusterMember } from './remote-nodes.js';

/**
 * What nodes of remote type can run at all (specification 04 §10.3; docs/decisions/0084-what-one-node-may-claim.md): whoever holds the token of one is not believed that it runs anything else, for the cluster would stop that
 * elsewhere, or not start it.
 */

/** As what a node counts by its agent's join; before it has ever joined, by the configuration. */
type Standing = 'cluster' | ImpliedNode['kind'];

/**
 * Whether a resource can run on a node, by its kind, or may be active there already by what was recorded: that goes on to be believed, whatever the configuration makes of it by now. On cluster nodes all can.
 *
 * @param as what the node joins as, where it is just joining
 */
export function isRunnableOn(state: ClusterState, node: string, historyId: string, as: Standing = standingOf(state, node)): boolean {
  if (as === 'cluster') return true;
  const member = memberOf(state, node);
  if (member !== undefined && mayBeActive(historyOf(nodeStateOf(state.cib, member), historyId), historyId)) return true;
  const configured = configuredHistory(state, historyId);
  const implied = remoteNodeNamed(state.cib, node);
  // A guest that nothing makes any more may have been one in a container.
  if (configured === undefined || (as === 'guest' && implied === undefined)) return false;
  const { resource, number, isImplicit } = configured;
  const bundle = isImplicit ? undefined : bundleOf(resource);
  if (implied?.bundle !== undefined)
    return bundle?.id === implied.bundle && (number === undefined || implied.name === `${implied.bundle}-${String(number)}`);
  // Containers of bundles are placed on remote nodes and in virtual machines as well; connections to what runs in them never.
  if (isImplicit) return remoteNodeNamed(state.cib, historyId) === undefined;
  return bundle === undefined && !isOfClusterNodes(state, resource);
}

function standingOf(state: ClusterState, node: string): Standing {
  const member = memberOf(state, node);
  if (member !== undefined) return isClusterMember(member) ? 'cluster' : (member.kind ?? 'cluster');
  return remoteNodeNamed(state.cib, node)?.kind ?? 'cluster';
}

/** Whether it is never placed on a node of remote type: a fence device, a connection, or what a guest runs in. */
function isOfClusterNodes(state: ClusterState, { id, element }: ConfiguredResource): boolean {
  if (element.attributes['class']?.toLowerCase() === 'stonith' || isConnectionAgent(element.attributes)) return true;
  return remoteNodes(state.cib).some(({ launcher }) => launcher === id);
}

/** The bundle in whose containers a resource runs. */
function bundleOf({ parent }: ConfiguredResource): ConfiguredResource | undefined {
  return parent === undefined || parent.kind === 'bundle' ? parent : bundleOf(parent);
}

/**
 * Whether the agent of a node may set attributes of another one, by what it runs: that in a container those of the other replicas of its bundle, whose members tell one another who begins, and of their hosts where these count instead
 * (`container-attribute-target`, specification 02 §3.3); a guest that nothing makes any more none.
 */
export function maySetFor(state: ClusterState, agent: string, node: string): boolean {
  if (agent === node || standingOf(state, agent) !== 'guest') return true;
  const implied = remoteNodeNamed(state.cib, agent);
  if (implied === undefined) return false;
  const { bundle } = implied;
  if (bundle === undefined || remoteNodeNamed(state.cib, node)?.bundle === bundle) return true;
  return countsOnHost(state, bundle) && isHostOf(state, bundle, node);
}

/** Whether the agent of a node is in a container of a bundle, or may have been: what counts for all nodes it does not set. */
export function isInContainer(state: ClusterState, agent: string): boolean {
  if (standingOf(state, agent) !== 'guest') return false;
  const implied = remoteNodeNamed(state.cib, agent);
  return implied === undefined || implied.bundle !== undefined;
}

function countsOnHost(state: ClusterState, bundle: string): boolean {
  return readingOf(state.cib, planTime(state)).resources.some(
    (resource) =>
      resource.kind === 'primitive' && bundleOf(resource)?.id === bundle && resource.meta.get('container-attribute-target') === 'host',
  );
}

/** Whether a container of a bundle runs on a node, as far as is known; on one that joined just now it may, until somebody has looked. */
function isHostOf(state: ClusterState, bundle: string, node: string): boolean {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  const mayRun = (launcher: string): boolean => {
    const history = historyOf(nodeState, launcher);
    return history === undefined ? member?.membership === 'joined' : mayBeActive(history, launcher);
  };
  return remoteNodes(state.cib).some(({ bundle: of, launcher }) => of === bundle && launcher !== undefined && mayRun(launcher));
}
