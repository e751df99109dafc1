import type { ClusterState } from '../state/cluster-state.js';
import { configuredNodes, setPermanentAttribute } from '../state/configuration.js';
import { isAttributeSet } from '../state/node-attributes.js';
import { planTime } from '../state/plan-time.js';
import type { Decision } from './cluster-command.js';
import { changeConfiguration } from './configuration-change.js';
import type { SetNodesStandby } from './operator-command.js';
import { reject } from './rejection.js';

export function setNodesStandby({ type, nodes, standby, reason }: SetNodesStandby, state: ClusterState): Decision {
  const configured = configuredNodes(state.cib).map(({ name }) => name);
  const unknown = nodes?.filter((node) => !configured.includes(node)) ?? [];
  if (unknown.length > 0) {
    return reject(state, 'node-not-found', `the cluster has no node ${unknown.join(', ')}`, { pointer: '/nodes' });
  }
  const meant = nodes ?? configured;
  const next = meant.reduce((cib, node) => setPermanentAttribute(cib, node, 'standby', standby ? 'on' : undefined, true), state.cib);
  const otherwise = meant.filter((node) => isAttributeSet({ ...state, cib: next }, node, 'standby', planTime(state)) !== standby);
  if (otherwise.length > 0) {
    const is = standby ? 'would not be' : 'would stay';
    const message = `${otherwise.join(', ')} ${is} in standby: another set of attributes decides, by a rule, a reference or until the reboot. Change the attribute standby there`;
    return reject(state, 'attribute-overridden', message, { pointer: '/nodes' });
  }
  const given = { standby, ...(nodes === undefined ? {} : { nodes }) };
  return changeConfiguration(state, next, { command: type, arguments: given, ...(reason === undefined ? {} : { reason }) });
}
