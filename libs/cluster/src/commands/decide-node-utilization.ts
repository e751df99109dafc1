import { childrenNamed, firstChildNamed, replaceElement, withNamedValue } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';
import type { Decision } from './decision.js';
import { changeConfiguration } from './configuration-change.js';
import type { SetNodeUtilization } from './operator-command.js';
import { reject } from './rejection.js';

/** Into the set `nodes-<id>-utilization`, as `crm_attribute --utilization` writes it. */
export function setNodeUtilization({ type, node, name, value, reason }: SetNodeUtilization, state: ClusterState): Decision {
  const section = firstChildNamed(configurationOf(state.cib), 'nodes');
  const written = section && childrenNamed(section, 'node').find(({ attributes }) => (attributes['uname'] ?? attributes['id']) === node);
  if (written === undefined) return reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
  if (name === '' || name.length > 255) {
    return reject(state, 'invalid-argument', 'a utilization attribute has a name of 1 to 255 characters', { pointer: '/name' });
  }
  if (value !== undefined && !/^\d{1,9}$/.test(value)) {
    return reject(state, 'invalid-argument', `what a node can carry is a whole number from 0, not ${value.slice(0, 40)}`, {
      pointer: '/value',
    });
  }
  const setId = `nodes-${written.attributes['id'] ?? ''}-utilization`;
  const next = replaceElement(state.cib, written, withNamedValue(state.cib, written, { set: 'utilization', name, value, setId }));
  const given = { node, name, ...(value === undefined ? {} : { value }) };
  return changeConfiguration(state, next, { command: type, arguments: given, ...(reason === undefined ? {} : { reason }) });
}
