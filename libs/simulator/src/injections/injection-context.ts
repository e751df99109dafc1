import type { Cluster } from '@systole/scheduler';
import type { InjectionContext } from './inject.js';

/** The feature set that simulated results claim (specification 08 §3.9). */
const FEATURE_SET = '3.20.5';

/**
 * What injections need to know of a cluster that was read.
 *
 * @param clock real time in epoch seconds.
 */
export function injectionContext(cluster: Cluster, clock: number): InjectionContext {
  return {
    clock,
    featureSet: FEATURE_SET,
    startFailureIsFatal: cluster.options.startFailureIsFatal,
    agentOf: (name) => {
      const { class: standard = '', provider, type = '' } = cluster.resourceNames.first(name)?.element.attributes ?? {};
      if (standard === '') return undefined;
      return { class: standard, ...(provider === undefined ? {} : { provider }), type };
    },
  };
}
