import { BOOTSTRAP_OPTIONS_ID, editSection, readingOf, withNamedValue } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';
import type { Decision } from './decision.js';
import { changeConfiguration, type AskedChange } from './configuration-change.js';
import type { SetAllStopped, SetClusterMaintenance } from './operator-command.js';
import { accept, reject } from './rejection.js';
import type { NoteHaveWatchdog } from './worker-command.js';

/** A cluster option that is a mode, and what is said of a cluster that is in it. */
interface Mode {
  readonly option: 'maintenance-mode' | 'stop-all-resources';
  readonly called: string;
}

const MAINTENANCE: Mode = { option: 'maintenance-mode', called: 'in maintenance' };
const STOPPED: Mode = { option: 'stop-all-resources', called: 'stopped' };

export function setClusterMaintenance({ type, maintenance, reason }: SetClusterMaintenance, state: ClusterState): Decision {
  return setMode(
    MAINTENANCE,
    maintenance,
    { command: type, arguments: { maintenance }, ...(reason === undefined ? {} : { reason }) },
    state,
  );
}

export function noteHaveWatchdog({ type, haveWatchdog }: NoteHaveWatchdog, state: ClusterState): Decision {
  const reading = readingOf(state.cib, planTime(state)).options;
  if (reading.flag('have-watchdog') === haveWatchdog) return accept();
  const next = editSection(state.cib, 'crm_config', (section) =>
    withNamedValue(state.cib, section, {
      ...{ set: 'cluster_property_set', name: 'have-watchdog', value: String(haveWatchdog) },
      ...{ setId: BOOTSTRAP_OPTIONS_ID, firstId: BOOTSTRAP_OPTIONS_ID },
    }),
  );
  // Who has it decided by a rule is told so by the status; an endless row of changes would be worse.
  if (readingOf(next, planTime(state)).options.flag('have-watchdog') !== haveWatchdog) return accept();
  return changeConfiguration(state, next, { command: type, arguments: { haveWatchdog } });
}

export function setAllStopped({ type, stopped, reason }: SetAllStopped, state: ClusterState): Decision {
  return setMode(STOPPED, stopped, { command: type, arguments: { stopped }, ...(reason === undefined ? {} : { reason }) }, state);
}

/** Written where the option stands, else in the set that goes before all others, as `crm_attribute` does; its end takes it away. */
function setMode({ option, called }: Mode, on: boolean, asked: AskedChange, state: ClusterState): Decision {
  const next = editSection(state.cib, 'crm_config', (section) =>
    withNamedValue(state.cib, section, {
      ...{ set: 'cluster_property_set', name: option, value: on ? 'true' : undefined },
      ...{ setId: BOOTSTRAP_OPTIONS_ID, firstId: BOOTSTRAP_OPTIONS_ID },
    }),
  );
  if (readingOf(next, planTime(state)).options.flag(option) !== on) {
    const is = on ? 'would not be' : 'would stay';
    const message = `the cluster ${is} ${called}: another set of its options decides about ${option}, by a rule or a reference. Change it there`;
    return reject(state, 'attribute-overridden', message);
  }
  return changeConfiguration(state, next, asked);
}
