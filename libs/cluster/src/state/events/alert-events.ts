import { alertElement, childrenNamed } from '@systole/cib';
import { laneName } from '../../alerts/lane.js';
import type { AlertLane } from '../../events/cluster-event.js';
import type { ClusterState, FailingAlert } from '../cluster-state.js';
import type { Folds } from './folds.js';

/** That the program of an alert fails, and works again. */
export const alertEvents: Folds<'AlertFailed' | 'AlertRecovered'> = {
  AlertFailed: (state, data, { occurredAt: since }) => withFailing(state, [...others(state, data), { ...data, since }]),
  AlertRecovered: (state, data) => withFailing(state, others(state, data)),
};

/** Without those of this lane, and of what is not configured any more. */
function others(state: ClusterState, lane: AlertLane): readonly FailingAlert[] {
  return (state.failingAlerts ?? []).filter((one) => laneName(one) !== laneName(lane) && isConfigured(state, one));
}

function isConfigured({ cib }: ClusterState, { alert, recipient }: FailingAlert): boolean {
  const element = alertElement(cib, alert);
  if (element === undefined) return false;
  return recipient === undefined || childrenNamed(element, 'recipient').some(({ attributes }) => attributes['id'] === recipient);
}

function withFailing({ failingAlerts: _, ...state }: ClusterState, failing: readonly FailingAlert[]): ClusterState {
  return failing.length === 0 ? state : { ...state, failingAlerts: failing };
}
