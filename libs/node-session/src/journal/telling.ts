import { LIMITS } from '@systole/protocol';
import type { NodeState } from '../state.js';

/** History ids of what may be running here. */
export function activeIds({ journal }: Pick<NodeState, 'journal'>): readonly string[] {
  return [...journal.ahead.active.keys()].slice(0, LIMITS.listEntries);
}

/** What is left alone when everything is stopped: also what a crash would bring back, as it is not written yet that it is managed again. More than can be told is not told. */
export function sparedBy({ journal }: Pick<NodeState, 'journal'>): { readonly unmanaged?: readonly string[] } {
  const unmanaged = [...new Set([...journal.durable.unmanaged, ...journal.ahead.unmanaged])];
  return unmanaged.length > LIMITS.listEntries ? {} : { unmanaged };
}
