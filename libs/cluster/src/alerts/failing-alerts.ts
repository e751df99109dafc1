import { alertCalls } from '@systole/cib';
import { memberOf, type ClusterState, type FailingAlert } from '../state/cluster-state.js';
import { recipientName } from './lane.js';

/**
 * Alerts whose programs did not end well when they were run last, as far as they are configured and their nodes are there: nobody was told what they were to tell.
 *
 * @param now epoch ms, for rules
 */
export function failingAlerts(state: ClusterState, now: number): readonly FailingAlert[] {
  const { failingAlerts: noted = [] } = state;
  if (noted.length === 0) return noted;
  const configured = new Set(alertCalls(state.cib, now).map(({ alert, recipient }) => recipientName({ alert, recipient: recipient?.id })));
  return noted.filter((one) => configured.has(recipientName(one)) && memberOf(state, one.node)?.membership === 'joined');
}
