import type { ClusterState } from '../state/cluster-state.js';
import { remoteNodeNamed } from '../state/configuration.js';

/**
 * Whether a node is in a container of a bundle. After the log went back in time the token of its agent is the likeliest reason that nothing is heard of it: it was made when the container was started, and is lost with the tail if that
 * was later than the copy. The container runs on, and its agent is refused for ever.
 */
export function isHeldContainer({ cib }: Pick<ClusterState, 'cib'>, node: string): boolean {
  return remoteNodeNamed(cib, node)?.bundle !== undefined;
}
