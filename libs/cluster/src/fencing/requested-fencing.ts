import { configuredNodes } from '../state/configuration.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { isRequested } from './fencing-limit.js';

/**
 * Names of the members whose fencing somebody asked for (attribute `terminate`), and that may still run something: neither fenced yet, nor left, nor confirmed down.
 *
 * @param now epoch ms, for rules
 */
export function requestedFencing(state: ClusterState, now: number): readonly string[] {
  return configuredNodes(state.cib)
    .map(({ name }) => name)
    .filter((name) => {
      const membership = memberOf(state, name)?.membership;
      return membership !== undefined && membership !== 'down' && membership !== 'left' && isRequested(state, name, now);
    });
}
