import type { ClusterState } from './cluster-state.js';

/**
 * The moment for which the transition that runs was planned, or else the newest one, epoch ms. What carries a plan out (limits, time-outs, fence
 * devices) reads the configuration as of then: as the scheduler saw it, and the same from the first step to the last.
 */
export function planTime({ transition, lastPlanned }: Pick<ClusterState, 'transition' | 'lastPlanned'>): number {
  return ((transition ?? lastPlanned)?.now ?? 0) * 1000;
}
