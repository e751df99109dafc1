import type { ClusterStates } from './cluster-states.js';

const LOOK_EVERY_MS = 1_000;

/** Has those states leave memory of which nobody has asked for a while. @returns what ends that */
export function letUnusedLeave(states: Pick<ClusterStates, 'leaveUnused'>): () => void {
  const looking = setInterval(() => {
    states.leaveUnused();
  }, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(looking);
  };
}
