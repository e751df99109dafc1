import { applyElementChanges } from '@systole/cib';
import type { ConfigurationChanged } from '../../events/cluster-event.js';
import { fencingDiffers } from '../../fencing/fencing-configuration.js';
import type { ClusterState } from '../cluster-state.js';
import { messageOf, withProblem } from '../problems.js';
import { hasFencingFailures, withAllFencingForgiven } from './fencing-forgiven.js';
import type { Folds } from './folds.js';
import { withGivenUp } from './given-up.js';

/** That the configuration was changed. */
export const configurationEvents: Folds<'ConfigurationChanged'> = {
  ConfigurationChanged: (state, data, { version, occurredAt }) => configured(state, data, version, Date.parse(occurredAt)),
};

function configured(state: ClusterState, data: ConfigurationChanged['data'], version: number, now: number): ClusterState {
  try {
    const next = withGivenUp({ ...state, cib: applyElementChanges(state.cib, data.changes) }, now);
    return hasFencingFailures(state) && fencingDiffers(state.cib, next.cib, now) ? withAllFencingForgiven(next) : next;
  } catch (thrown) {
    return withProblem(state, version, `the configuration could not be changed: ${messageOf(thrown)}`);
  }
}
