import { readingOf } from '@systole/cib';
import type { ClusterState } from '../cluster-state.js';
import { withMember } from '../members.js';

/** Where the time decides about fencing nobody knows any more how the judge of the lease saw it: then no margin was given for certain. */
export function mayBeLostWithFencing({ cib }: ClusterState, now: number): boolean {
  const reading = readingOf(cib, now);
  return reading.options.flag('fencing-enabled') || !reading.holdsForEver;
}

/** Without fencing, time alone makes lost nodes count as stopped, but for those that were told to keep what they run (`activationHold`). */
export function withGivenUp(state: ClusterState, now: number): ClusterState {
  const reading = readingOf(state.cib, now);
  if (reading.options.flag('fencing-enabled') && reading.holdsForEver) return state;
  const lost = Object.values(state.nodes).filter(
    ({ membership, givenUp, onLeaseLoss }) => membership === 'lost' && givenUp === undefined && onLeaseLoss !== 'keep',
  );
  return lost.reduce((next, { name }) => withMember(next, name, { givenUp: true }), state);
}
