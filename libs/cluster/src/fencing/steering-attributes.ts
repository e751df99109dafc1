import { childElements, childrenNamed, descendants, firstChildNamed, type XmlElement } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';

/**
 * Names of the node attributes that say which devices fence a node, and with what: those of fencing levels, and of rules in fence devices. Whoever sets one decides whether a node that is fenced is switched off, or another one
 * is in its place (safety rule S1).
 */
export function steersFencing(state: ClusterState, name: string): boolean {
  const configuration = configurationOf(state.cib);
  const topology = firstChildNamed(configuration, 'fencing-topology');
  const levels = topology === undefined ? [] : childrenNamed(topology, 'fencing-level');
  if (levels.some(({ attributes }) => attributes['target-attribute'] === name)) return true;
  const resources = firstChildNamed(configuration, 'resources');
  return resources !== undefined && childElements(resources).some((element) => isFenceDevice(element) && hasRuleOf(element, name));
}

function isFenceDevice({ attributes }: XmlElement): boolean {
  return attributes['class']?.toLowerCase() === 'stonith';
}

function hasRuleOf(element: XmlElement, name: string): boolean {
  for (const { name: kind, attributes } of descendants(element)) if (kind === 'expression' && attributes['attribute'] === name) return true;
  return false;
}
