import { replaceElement, withNamedValue, withSectionValue, type Sealing } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { changeConfiguration } from './configuration-change.js';
import type { Decision } from './decision.js';
import type { SetResourceValue, SetSectionValue } from './operator-command.js';
import { reject } from './rejection.js';
import { resourceTarget, writtenResource } from './resource-target.js';

const MOST_NAME_CHARS = 255;

/** As `crm_attribute` writes cluster options and defaults. */
export function setSectionValue(command: SetSectionValue, state: ClusterState): Decision {
  const { type, section, name, value, set, reason } = command;
  if (name === '' || name.length > MOST_NAME_CHARS) return misnamed(state, name);
  const next = withSectionValue(state.cib, section, { name, value, ...(set === undefined ? {} : { setId: set }) });
  const given = { section, name, ...(value === undefined ? {} : { value }), ...(set === undefined ? {} : { set }) };
  const asked = { command: type, arguments: given, ...(reason === undefined ? {} : { reason }) };
  return changeConfiguration(state, next, asked, { written: 'edited', doubts: 'refuse' });
}

/** As `crm_resource --set-parameter` writes it. The event's arguments have no value, which may be a secret: its changes have it as it is kept. */
export function setResourceValue(command: SetResourceValue, state: ClusterState, sealing?: Sealing): Decision {
  const { type, resource, kind, name, value, force, agents, reason } = command;
  if (name === '' || name.length > MOST_NAME_CHARS) return misnamed(state, name);
  const target = resourceTarget(state, resource, 'own');
  if ('ok' in target) return target;
  // Parameters are of the resource that has an agent, wherever it stands.
  const written = kind === 'meta_attributes' ? target.written : (writtenResource(state.cib, resource) ?? target.written);
  const next = replaceElement(state.cib, written, withNamedValue(state.cib, written, { set: kind, name, value }));
  const secrets = sealing === undefined ? undefined : { sealing, of: 'changed' as const, restored: false };
  return changeConfiguration(
    state,
    next,
    { command: type, arguments: { resource, kind, name }, ...(reason === undefined ? {} : { reason }) },
    { written: 'edited', doubts: force === true ? 'force' : 'refuse', agents, secrets },
  );
}

function misnamed(state: ClusterState, name: string): Decision {
  return reject(state, 'invalid-argument', `a name has 1 to ${String(MOST_NAME_CHARS)} characters, this one ${String(name.length)}`, {
    pointer: '/name',
  });
}
