import type { ClusterOptionKind } from './option-type.js';

/** An attribute of a resource or an operation whose text means something. */
export interface AttributeDefinition {
  readonly name: string;
  readonly type: ClusterOptionKind;
  /** What counts while the text can't be read. */
  readonly meanwhile: string;
  /** Whether what counts then may cost the service, or its data: such a text is not taken in. Of all others a warning tells. */
  readonly harmful: boolean;
}

const boolean = { kind: 'boolean' } as const;
const integer = { kind: 'integer' } as const;
const score = { kind: 'score' } as const;
const time = { kind: 'amount-of-time' } as const;

/** In any case. */
const select = (...allowed: readonly string[]): ClusterOptionKind => ({ kind: 'select', allowed });

const harmful = (name: string, type: ClusterOptionKind, meanwhile: string): AttributeDefinition => ({
  name,
  type,
  meanwhile,
  harmful: true,
});
const told = (name: string, type: ClusterOptionKind, meanwhile: string): AttributeDefinition => ({ name, type, meanwhile, harmful: false });

/** Of operations (specification 01 §10.5, §10.6). */
export const OPERATION_ATTRIBUTES: readonly AttributeDefinition[] = [
  harmful('interval', { kind: 'duration' }, 'the operation does not recur'),
  harmful('timeout', time, '20s is used'),
  harmful('start-delay', time, 'there is no delay'),
  harmful('interval-origin', { kind: 'date' }, 'it has no effect'),
];

/** Other names that count among the meta-attributes of operations (specification 01 §10). */
export const OTHER_OPERATION_NAMES: readonly string[] = ['on-fail', 'role', 'record-pending', 'enabled', 'requires'];

/** Attributes of nodes (specification 03 §2.1). */
export const NODE_ATTRIBUTES: readonly AttributeDefinition[] = [
  told('standby', boolean, 'the node is not in standby'),
  told('maintenance', boolean, 'the node is not in maintenance'),
];

/** Meta-attributes of resources (specification 02 §3.3). */
export const RESOURCE_ATTRIBUTES: readonly AttributeDefinition[] = [
  harmful('maintenance', boolean, 'the resource is not in maintenance'),
  harmful('clone-max', integer, 'there is no instance'),
  harmful('promoted-max', integer, 'no instance is promoted'),
  harmful('master-max', integer, 'no instance is promoted'),
  harmful('migration-threshold', { kind: 'or-default', of: score }, 'failures drive it from no node'),
  told('is-managed', { kind: 'or-default', of: boolean }, 'the resource is not managed'),
  told('target-role', select('started', 'stopped', 'promoted', 'unpromoted', 'master', 'slave', 'default'), 'it has no effect'),
  told('multiple-active', select('stop_start', 'stop_only', 'block', 'stop_unexpected'), 'stop_start is used'),
  told('priority', score, 'it counts as 0'),
  told('resource-stickiness', { kind: 'or-default', of: score }, 'it counts as 0'),
  told('failure-timeout', { kind: 'duration' }, 'failures do not expire'),
  told('clone-node-max', integer, 'it counts as 0'),
  told('clone-min', integer, 'it counts as 0'),
  told('promoted-node-max', integer, 'it counts as 0'),
  told('master-node-max', integer, 'it counts as 0'),
  told('collocated', boolean, 'it counts as true'),
  ...['allow-migrate', 'critical', 'notify', 'allow-unhealthy-nodes', 'globally-unique', 'promotable', 'interleave'].map((name) =>
    told(name, boolean, 'it counts as false'),
  ),
];

/** Other names that count among the meta-attributes of resources, or of remote nodes (specification 02 §3.3, §9). */
export const OTHER_RESOURCE_NAMES: readonly string[] = [
  ...['requires', 'container-attribute-target', 'ordered', 'container', 'provides', 'internal_rsc'],
  ...['remote-node', 'remote-addr', 'remote-port', 'remote-connect-timeout', 'remote-allow-migrate'],
];
