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

/** Meta-attributes of resources (specification 02 §3.3). */
export const RESOURCE_ATTRIBUTES: readonly AttributeDefinition[] = [
  harmful('maintenance', boolean, 'the resource is not in maintenance'),
  harmful('clone-max', integer, 'there is no instance'),
  harmful('promoted-max', integer, 'no instance is promoted'),
  harmful('master-max', integer, 'no instance is promoted'),
  harmful('migration-threshold', { kind: 'or-default', of: score }, 'failures drive it from no node'),
  told('is-managed', { kind: 'or-default', of: boolean }, 'the resource is not managed'),
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
