import { FENCING_ACTION } from '@systole/cib';
import { fencedByDevice } from '../remote/remote-nodes.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { nodeStateOf, transientAttribute } from '../state/node-state.js';
import type { FencingAction } from './device.js';
import { isRequested } from './fencing-limit.js';

/**
 * Names of the members whose fencing somebody asked for (attribute `terminate`), and that may still run something: neither fenced yet, nor left, nor confirmed down.
 *
 * @param now epoch ms, for rules
 */
export function requestedFencing(state: ClusterState, now: number): readonly string[] {
  return fencedByDevice(state.cib).filter((name) => {
    const membership = memberOf(state, name)?.membership;
    return membership !== undefined && membership !== 'down' && membership !== 'left' && isRequested(state, name, now);
  });
}

/** What a person asked for when asking for the fencing of a node; undefined when nothing was said. */
export function askedAction(state: ClusterState, node: string): 'off' | 'reboot' | undefined {
  const member = memberOf(state, node);
  const asked = transientAttribute(member === undefined ? undefined : nodeStateOf(state.cib, member), FENCING_ACTION);
  return asked === 'off' || asked === 'reboot' ? asked : undefined;
}

/** The action by which a node is fenced: what the plan says, unless a person asked for its fencing and said how. @param now epoch ms, for rules */
export function actionFor(state: ClusterState, target: string, planned: FencingAction, now: number): FencingAction {
  if (planned === 'on' || !isRequested(state, target, now)) return planned;
  return askedAction(state, target) ?? planned;
}
