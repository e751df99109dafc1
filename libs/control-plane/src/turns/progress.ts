/**
 * What came of one turn on a cluster.
 * - `moved`: the stream moved, by this worker or another; look again.
 * - `resting`: nothing to do before `wakeAt` (epoch ms), or before the next event when absent.
 */
export type Progress = { readonly type: 'moved' } | { readonly type: 'resting'; readonly wakeAt?: number };

export const MOVED: Progress = { type: 'moved' };

/** Resting until the earliest of these moments; infinite ones do not count. */
export function restingUntil(...moments: readonly (number | undefined)[]): Progress {
  const known = moments.filter((moment): moment is number => moment !== undefined && Number.isFinite(moment));
  return known.length === 0 ? { type: 'resting' } : { type: 'resting', wakeAt: Math.min(...known) };
}
