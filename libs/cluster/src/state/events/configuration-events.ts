import { applyElementChanges } from '@systole/cib';
import type { ConfigurationChanged } from '../../events/cluster-event.js';
import { fencingDiffers } from '../../fencing/fencing-configuration.js';
import type { ClusterState } from '../cluster-state.js';
import { withDocumentVersion } from '../document-version.js';
import { messageOf, withProblem } from '../problems.js';
import { hasFencingFailures, withAllFencingForgiven } from './fencing-forgiven.js';
import type { Folds } from './folds.js';
import { withGivenUp } from './given-up.js';

/** That the configuration was changed, or a secret that it may refer to was erased. */
export const configurationEvents: Folds<'ConfigurationChanged' | 'SecretErased'> = {
  ConfigurationChanged: (state, data, { version, occurredAt }) => configured(state, data, version, Date.parse(occurredAt)),
  // It refers to what it did; who keeps the values knows what is left of them.
  SecretErased: (state) => state,
};

function configured(state: ClusterState, data: ConfigurationChanged['data'], version: number, now: number): ClusterState {
  try {
    const changed = applyElementChanges(state.cib, data.changes);
    const cib = data.countedFrom === undefined ? changed : withDocumentVersion(changed, data.countedFrom);
    const next = withGivenUp({ ...state, cib }, now);
    return hasFencingFailures(state) && fencingDiffers(state.cib, next.cib, now) ? withAllFencingForgiven(next) : next;
  } catch (thrown) {
    return withProblem(state, version, `the configuration could not be changed: ${messageOf(thrown)}`);
  }
}
