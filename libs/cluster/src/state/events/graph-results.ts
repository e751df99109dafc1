import type { ActionResult, ClusterState } from '../cluster-state.js';
import { withReport } from '../transition-results.js';

/** Of an action that the server did itself. */
export const DONE: ActionResult = { status: 'done', rc: 0, ok: true };

/** Of an action that nobody could do. */
export const FAILED: ActionResult = { status: 'error', rc: 1, ok: false };

/** Notes what `reporter` says of an action of the running transition; another transition is past. */
export function withResult(
  state: ClusterState,
  transition: number,
  graphActionId: number,
  reporter: string,
  result: ActionResult,
): ClusterState {
  if (state.transition?.number !== transition) return state;
  return { ...state, transition: withReport(state.transition, graphActionId, reporter, result) };
}
