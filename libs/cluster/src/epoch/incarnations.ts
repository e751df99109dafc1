import { memberOf, type ClusterState } from '../state/cluster-state.js';

/** So many lives of one node have room within an epoch before their numbers could meet those of another epoch. */
const LIVES = 1_000;
const SLOTS = 1_000;
/** Further epochs share the numbers of the last: incarnations stay below 2^31, which is what the tables hold. */
const MOST_EPOCHS = 2_000;

/**
 * The number of a node's next life. What an agent sends names its life by number alone, and may be under way for long: after the log went back in time no number is given
 * that a life of the lost tail had, or a delayed goodbye would end a life that goes on (safety rule S1).
 *
 * So each epoch begins with numbers of its own, above those of the epochs that the log names. Where one copy of the log is restored twice the two epochs follow the
 * same ones; their ids place them apart.
 */
export function nextIncarnation(state: ClusterState, node: string): number {
  return Math.max(memberOf(state, node)?.incarnation ?? 0, lastBefore(state)) + 1;
}

/** No life of the present epoch has this number or a lower one; 0 in the first one. */
function lastBefore({ epoch }: ClusterState): number {
  if (epoch === undefined) return 0;
  return Math.min(epoch.earlier.length, MOST_EPOCHS) * SLOTS * LIVES + slotOf(epoch.id) * LIVES;
}

function slotOf(id: string): number {
  return Array.from(id).reduce((slot, char) => (slot * 31 + (char.codePointAt(0) ?? 0)) % SLOTS, 0);
}
