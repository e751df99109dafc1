import { readingOf } from '@systole/cib';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';

/** The trouble that an agent tells of whose machine is loaded beyond the threshold. */
const HIGH_LOAD = 'high-load';

/** Beyond which load agents tell of it, percent: option `load-threshold`. Nothing: never. */
export function loadThreshold(state: ClusterState): { readonly loadThreshold?: number } {
  const percent = readingOf(state.cib, planTime(state)).options.percentage('load-threshold');
  return percent === undefined ? {} : { loadThreshold: percent };
}

/** Whether the agent of a node said so last. */
export function isLoaded(state: ClusterState, node: string): boolean {
  return memberOf(state, node)?.troubles?.some(({ code }) => code === HIGH_LOAD) === true;
}
