import { element, parseXml } from '@systole/cib';
import type { ClusterCreated } from '../../events/cluster-event.js';
import { type ClusterState, emptyCib } from '../cluster-state.js';
import { messageOf, withProblem } from '../problems.js';
import { putOnly } from '../tree.js';

export function created(state: ClusterState, data: ClusterCreated['data'], version: number): ClusterState {
  const base: ClusterState = { ...state, existence: 'active', name: data.name };
  try {
    const document = data.cib === '' ? emptyCib() : parseXml(data.cib);
    return { ...base, cib: putOnly(document, element('status')) };
  } catch (thrown) {
    return withProblem({ ...base, cib: emptyCib() }, version, `the CIB of the cluster could not be read: ${messageOf(thrown)}`);
  }
}
