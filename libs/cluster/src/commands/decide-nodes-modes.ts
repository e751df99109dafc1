import type { ClusterState } from '../state/cluster-state.js';
import { configuredNodes, setPermanentAttribute } from '../state/configuration.js';
import { isAttributeSet } from '../state/node-attributes.js';
import { planTime } from '../state/plan-time.js';
import type { Decision, RejectionIssue } from './decision.js';
import { changeConfiguration } from './configuration-change.js';
import type { SetNodesMaintenance, SetNodesStandby } from './operator-command.js';
import { reject } from './rejection.js';

export function setNodesStandby({ type, nodes, standby, reason }: SetNodesStandby, state: ClusterState): Decision {
  return setModeOfNodes({ attribute: 'standby', on: standby, value: 'on' }, { type, nodes, reason }, state);
}

export function setNodesMaintenance({ type, nodes, maintenance, reason }: SetNodesMaintenance, state: ClusterState): Decision {
  return setModeOfNodes({ attribute: 'maintenance', on: maintenance, value: 'true' }, { type, nodes, reason }, state);
}

interface Mode {
  readonly attribute: 'standby' | 'maintenance';
  readonly on: boolean;
  /** That stands for it. */
  readonly value: string;
}

interface Asked {
  readonly type: string;
  readonly nodes: readonly string[] | undefined;
  readonly reason: string | undefined;
}

function setModeOfNodes({ attribute, on, value }: Mode, { type, nodes, reason }: Asked, state: ClusterState): Decision {
  const configured = configuredNodes(state.cib).map(({ name }) => name);
  const unknown = nodes?.filter((node) => !configured.includes(node)) ?? [];
  if (unknown.length > 0) {
    return reject(state, 'node-not-found', `the cluster has no node ${unknown.join(', ')}`, {
      pointer: '/nodes',
      issues: unknown.map((node) => aboutNode(node, `the cluster has no node ${node}`)),
    });
  }
  const meant = nodes ?? configured;
  const next = meant.reduce((cib, node) => setPermanentAttribute(cib, node, attribute, on ? value : undefined, true), state.cib);
  const otherwise = meant.filter((node) => isAttributeSet({ ...state, cib: next }, node, attribute, planTime(state)) !== on);
  if (otherwise.length > 0) {
    const is = on ? 'would not be' : 'would stay';
    const message = `${otherwise.join(', ')} ${is} in ${attribute}: another set of attributes decides, by a rule, a reference or until the reboot. Change the attribute ${attribute} there`;
    const issues = otherwise.map((node) => aboutNode(node, `${node} ${is} in ${attribute}: another set of attributes decides`));
    return reject(state, 'attribute-overridden', message, { pointer: '/nodes', issues });
  }
  const given = { [attribute]: on, ...(nodes === undefined ? {} : { nodes }) };
  return changeConfiguration(state, next, { command: type, arguments: given, ...(reason === undefined ? {} : { reason }) });
}

function aboutNode(node: string, message: string): RejectionIssue {
  return { message, about: { kind: 'node', id: node } };
}
