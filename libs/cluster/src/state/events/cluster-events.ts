import { element, parseXml } from '@systole/cib';
import type { ClusterCreated } from '../../events/cluster-event.js';
import { type ClusterState, emptyCib } from '../cluster-state.js';
import { messageOf, withProblem } from '../problems.js';
import { putOnly } from '../tree.js';
import { without } from '../without.js';
import type { Folds } from './folds.js';

/** That a cluster begins, is being stopped, and ends. */
export const clusterEvents: Folds<'ClusterCreated' | 'ClusterStopping' | 'ClusterStopCancelled' | 'ClusterDeleted'> = {
  ClusterCreated: (state, data, { version }) => created(state, data, version),
  ClusterStopping: (state, { reason, restore: written }, { occurredAt: since, correlationId }) => {
    // Asked for once more, what was there before it was asked for first is to come back.
    const restore = written ?? state.stopping?.restore;
    const stopping = { since, correlationId, ...(reason === undefined ? {} : { reason }), ...(restore === undefined ? {} : { restore }) };
    return { ...state, stopping };
  },
  ClusterStopCancelled: (state) => without(state, 'stopping'),
  ClusterDeleted: (state) => without({ ...state, existence: 'deleted' }, 'transition', 'recompute', 'recheckBy', 'stopping'),
};

function created(state: ClusterState, data: ClusterCreated['data'], version: number): ClusterState {
  const base: ClusterState = { ...state, existence: 'active', name: data.name };
  try {
    const document = data.cib === '' ? emptyCib() : parseXml(data.cib);
    return { ...base, cib: putOnly(document, element('status')) };
  } catch (thrown) {
    return withProblem({ ...base, cib: emptyCib() }, version, `the CIB of the cluster could not be read: ${messageOf(thrown)}`);
  }
}
