import { applyingElementChanges, readingOf } from '@systole/cib';
import type { ClusterEvent, RecordedClusterEvent } from '../events/cluster-event.js';
import type { ClusterState } from './cluster-state.js';

/** An event with fewer changes is folded in a few milliseconds. */
const MANY_CHANGES = 128;
/** The same for what the changes hold, in characters. */
const LONG_CHANGES = 65_536;

/** Whether folding an event takes so long that it should be done bit by bit ({@link evolveAhead}). */
export function isLongToFold(event: ClusterEvent): boolean {
  if (event.type !== 'ConfigurationChanged') return false;
  const { changes } = event.data;
  if (changes.length >= MANY_CHANGES) return true;
  return changes.reduce((length, { after = '' }) => length + after.length, 0) >= LONG_CHANGES;
}

/**
 * Does what is long about folding an event onto a state, with pauses in which something else may be done. `evolve` of the very same event and state then finds
 * it done; it comes to the same without.
 */
export function* evolveAhead(state: ClusterState, { event, occurredAt }: RecordedClusterEvent): Generator<void, void, undefined> {
  if (event.type !== 'ConfigurationChanged' || !isLongToFold(event)) return;
  try {
    const cib = yield* applyingElementChanges(state.cib, event.data.changes);
    yield;
    readingOf(cib, Date.parse(occurredAt));
    yield;
  } catch {
    // `evolve` finds the same mistake, and notes it in the state.
  }
}
