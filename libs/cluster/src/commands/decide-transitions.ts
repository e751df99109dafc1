import { pendingFencing, type ClusterState } from '../state/cluster-state.js';
import type { Decision } from './decision.js';
import type { AbortTransition, CompleteTransition, PlanTransition, RequestFencing } from './worker-command.js';
import { relevantSince } from '../state/relevance.js';
import { accept, reject } from './rejection.js';

export function planTransition(command: PlanTransition, state: ClusterState): Decision {
  const { plan } = command;
  if (state.transition !== undefined) {
    return reject(state, 'transition-running', `transition ${String(state.transition.number)} has not ended yet`);
  }
  if (plan.inputVersion < relevantSince(state) || plan.inputVersion > state.version) {
    return reject(state, 'stale-decision', `planned from version ${String(plan.inputVersion)}: plan again from ${String(state.version)}`);
  }
  const alsoAnswers = state.recompute?.alsoAnswers;
  const data = { number: state.lastTransitionNumber + 1, ...plan, ...(alsoAnswers === undefined ? {} : { alsoAnswers }) };
  return accept({ type: 'TransitionPlanned', data });
}

export function abortTransition(command: AbortTransition, state: ClusterState): Decision {
  const { number, reason } = command;
  const { transition } = state;
  if (transition?.number !== number)
    return reject(state, 'transition-not-found', `transition ${String(number)} is not running`, { pointer: '/number' });
  const windsDown = transition.status === 'aborting' && transition.probingSince === undefined;
  return windsDown ? accept() : accept({ type: 'TransitionAborted', data: { number, reason } });
}

export function completeTransition(command: CompleteTransition, state: ClusterState): Decision {
  const { result } = command;
  if (state.transition?.number !== result.number) {
    return reject(state, 'transition-not-found', `transition ${String(result.number)} is not running`);
  }
  return accept({ type: 'TransitionCompleted', data: result });
}

export function requestFencing(command: RequestFencing, state: ClusterState): Decision {
  const { request } = command;
  if (pendingFencing(state, request.fencingId) !== undefined) return accept();
  if (state.transition?.number !== request.transition || state.transition.status !== 'running') {
    return reject(state, 'stale-decision', `transition ${String(request.transition)} is not running any more`);
  }
  if (
    state.transition.fencing.some(({ graphActionId, attempt }) => graphActionId === request.graphActionId && attempt >= request.attempt)
  ) {
    return reject(state, 'stale-decision', `attempt ${String(request.attempt)} at ${request.target} was made and has its outcome`);
  }
  return accept({ type: 'FencingRequested', data: request });
}
