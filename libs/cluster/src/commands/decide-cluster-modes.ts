import { BOOTSTRAP_OPTIONS_ID, editSection, readingOf, withNamedValue } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';
import type { Decision } from './cluster-command.js';
import { changeConfiguration } from './configuration-change.js';
import type { SetClusterMaintenance } from './operator-command.js';
import { reject } from './rejection.js';

const OPTION = 'maintenance-mode';

/** Written where the option stands, else in the set that goes before all others, as `crm_attribute` does; its end takes it away. */
export function setClusterMaintenance({ type, maintenance, reason }: SetClusterMaintenance, state: ClusterState): Decision {
  const value = maintenance ? 'true' : undefined;
  const next = editSection(state.cib, 'crm_config', (section) =>
    withNamedValue(state.cib, section, {
      ...{ set: 'cluster_property_set', name: OPTION, value },
      ...{ setId: BOOTSTRAP_OPTIONS_ID, firstId: BOOTSTRAP_OPTIONS_ID },
    }),
  );
  if (readingOf(next, planTime(state)).options.flag(OPTION) !== maintenance) {
    const is = maintenance ? 'would not be' : 'would stay';
    const message = `the cluster ${is} in maintenance: another set of its options decides about ${OPTION}, by a rule or a reference. Change it there`;
    return reject(state, 'attribute-overridden', message);
  }
  return changeConfiguration(state, next, { command: type, arguments: { maintenance }, ...(reason === undefined ? {} : { reason }) });
}
