import type { TransitionPlanned } from '../../events/cluster-event.js';
import { waitedUntil } from '../../fencing/failures.js';
import type { ClusterState } from '../cluster-state.js';
import { emptyList } from '../persistent-list.js';
import { without } from '../without.js';
import { hasFencingFailures } from './fencing-forgiven.js';
import type { Folds } from './folds.js';

/** That a plan was made, and that its transition ended. */
export const transitionEvents: Folds<'TransitionPlanned' | 'TransitionAborted' | 'TransitionCompleted'> = {
  TransitionPlanned: (state, data, { version, correlationId }) => planned(state, data, version, correlationId),
  TransitionAborted: (state) => state,
  TransitionCompleted: (state, { number, outcome }, { version, occurredAt }) => {
    if (state.transition?.number !== number) return state;
    if (outcome === 'complete') return without(state, 'transition', 'disturbances');
    const next = without(state, 'transition');
    if (next.recompute !== undefined) return next;
    const { abortReason = 'transition aborted', correlationId } = state.transition;
    return { ...next, recompute: { reason: abortReason, version, at: occurredAt, cause: { correlationId, asked: false } } };
  },
};

/** A graph without actions is complete at once: no transition runs, and no TransitionCompleted follows. */
function planned(state: ClusterState, data: TransitionPlanned['data'], version: number, correlationId: string): ClusterState {
  const { number, inputVersion, now, digest, schedulerVersion, counts, recheckBy, migrations } = data;
  const plan = { number, inputVersion, plannedVersion: version, now, digest, schedulerVersion };
  const base: ClusterState = {
    ...without(state, 'transition', 'recompute', 'recheckBy'),
    lastTransitionNumber: Math.max(number, state.lastTransitionNumber),
    lastPlanned: plan,
    ...(hasFencingFailures(state) ? { fencingFailures: waitedUntil(state.fencingFailures, now) } : {}),
    ...(recheckBy === undefined ? {} : { recheckBy }),
    ...(state.recompute !== undefined && state.recompute.version > inputVersion ? { recompute: state.recompute } : {}),
  };
  if (counts.actions + counts.pseudo + counts.fencing === 0) return base;
  const sent = migrations === undefined ? {} : { migrations };
  return { ...base, transition: { ...plan, correlationId, status: 'running', results: emptyList(), fencing: [], ...sent } };
}
