import type { Conduct } from './conduct.js';
import type { ClusterOptionKind } from './option-type.js';

/** What an attribute of a node, a resource or an operation means. */
export type AttributeDescription = Conduct & {
  readonly name: string;
  /** The newer name, where this is an older one: it counts where the newer one is not given. */
  readonly newer?: string;
  readonly type: ClusterOptionKind;
  /** What counts where it is not given, as one would write it; undefined: nothing does, or what others say decides. */
  readonly default: string | undefined;
  /** What it is read on, in the words of the configuration: `clone`, `op` …; undefined: all that it may be given to. */
  readonly readOn?: readonly string[];
  /** Whether it is read as an attribute of the element itself alone, never among its meta-attributes or in defaults (specification 02 §11.1). */
  readonly ownOnly?: true;
  /** What it does, for people: a row of the reference page. */
  readonly meaning: string;
  /** False for one that Pacemaker lacks. */
  readonly pacemakers?: false;
};

/** One whose text is checked. */
export type AttributeDefinition = AttributeDescription & {
  /** What counts while the text can't be read. */
  readonly meanwhile: string;
  /** Whether what counts then may cost the service, or its data: such a text is not taken in. Of all others a warning tells. */
  readonly harmful: boolean;
};

const boolean = { kind: 'boolean' } as const;
const integer = { kind: 'integer' } as const;
const score = { kind: 'score' } as const;
const time = { kind: 'amount-of-time' } as const;
const text = { kind: 'text' } as const;

/** In any case. */
const select = (...allowed: readonly string[]): ClusterOptionKind => ({ kind: 'select', allowed });

/** Of operations (specification 01 §10.5, §10.6). */
export const OPERATION_ATTRIBUTES: readonly AttributeDefinition[] = [
  {
    name: 'interval',
    ownOnly: true,
    type: { kind: 'duration' },
    default: '0',
    meaning: 'How often the operation is repeated as long as the resource is active; 0: only where something asks for it.',
    meanwhile: 'the operation does not recur',
    harmful: true,
  },
  {
    name: 'timeout',
    type: time,
    default: '20s',
    meaning: 'How long the agent may take before it is ended and the operation counts as failed.',
    meanwhile: '20s is used',
    harmful: true,
  },
  {
    name: 'start-delay',
    type: time,
    default: '0',
    meaning: 'How long it is waited, once the operation is due, before it is begun.',
    meanwhile: 'there is no delay',
    harmful: true,
  },
  {
    name: 'interval-origin',
    type: { kind: 'date' },
    default: undefined,
    meaning: 'A moment from which the intervals are counted, instead of from the start of the resource.',
    meanwhile: 'it has no effect',
    harmful: true,
  },
];

/** Others that count among the meta-attributes of operations (specification 01 §10); only where `meanwhile` is given, a text is checked. */
export const OTHER_OPERATION_ATTRIBUTES: readonly (AttributeDescription | AttributeDefinition)[] = [
  {
    name: 'on-fail',
    type: {
      kind: 'select',
      allowed: ['ignore', 'block', 'demote', 'stop', 'restart', 'standby', 'fence', 'restart-container'],
      older: ['nothing', 'migrate'],
    },
    default: undefined,
    meanwhile: 'it counts as not given',
    harmful: false,
    meaning:
      'What is done when the operation fails. Not given: a failed stop has its node fenced, or blocks the resource where there is no fencing; everything else restarts it.',
  },
  {
    name: 'role',
    ownOnly: true,
    type: { kind: 'select', allowed: ['Stopped', 'Started', 'Unpromoted', 'Promoted'], older: ['Master', 'Slave'] },
    default: undefined,
    meanwhile: 'the operation does not recur',
    harmful: false,
    meaning: 'The role in which the operation recurs; for Stopped, the nodes on which the resource should not be active.',
  },
  {
    name: 'record-pending',
    type: boolean,
    default: 'true',
    meaning: 'Whether the status shows, of a resource, that the operation is under way; it is never written to the history.',
    meanwhile: 'it counts as true',
    harmful: false,
  },
  {
    name: 'enabled',
    ownOnly: true,
    type: boolean,
    default: 'true',
    meaning: 'Whether the operation recurs at all. Read on the op itself alone, as `role` and `interval` are.',
    meanwhile: 'it counts as true',
    harmful: false,
  },
];

/** Attributes of nodes (specification 03 §1.5, §2.1); only where `meanwhile` is given, a text is checked. */
export const NODE_ATTRIBUTES: readonly (AttributeDescription | AttributeDefinition)[] = [
  {
    name: 'standby',
    type: boolean,
    default: 'false',
    meaning: 'Whether the node keeps no resources: those that it has move away.',
    meanwhile: 'the node is not in standby',
    harmful: false,
  },
  {
    name: 'maintenance',
    type: boolean,
    default: 'false',
    meaning: 'Whether what is on the node is left as it is: nothing is started, stopped or monitored there.',
    meanwhile: 'the node is not in maintenance',
    harmful: false,
  },
  {
    name: 'terminate',
    type: text,
    default: undefined,
    meaning: 'Whether somebody wants the node to be fenced; a time counts as true.',
  },
  {
    name: 'site-name',
    type: text,
    default: undefined,
    meaning: 'What rules and agents read as #site-name. Not given: cluster-name.',
  },
  {
    name: 'resource-discovery-enabled',
    type: text,
    default: undefined,
    readOn: ['remote node'],
    meaning:
      'Whether the node is asked what runs there already; false counts for guest nodes, and for remote nodes where there is fencing.',
  },
  {
    name: '#health…',
    type: text,
    default: undefined,
    meaning: 'All whose names begin so: how healthy the node is, a score or red, yellow or green, as node-health-strategy says.',
  },
];

const CLONE = ['clone'];
const PROMOTABLE = ['promotable clone'];
/** How guest nodes are reached. */
const AGENT_CALLS = 'the agent of the guest node connects to the server; nobody connects to the guest, at whatever address';

/** Meta-attributes of resources (specification 02 §3.3). */
export const RESOURCE_ATTRIBUTES: readonly AttributeDefinition[] = [
  {
    name: 'maintenance',
    type: boolean,
    default: 'false',
    meaning: 'Whether the resource is left as it is, and not monitored either. Goes before is-managed.',
    meanwhile: 'the resource is not in maintenance',
    harmful: true,
  },
  {
    name: 'clone-max',
    type: integer,
    default: undefined,
    readOn: CLONE,
    meaning: 'How many instances there are. Not given: one for each node.',
    meanwhile: 'there is no instance',
    harmful: true,
  },
  {
    name: 'promoted-max',
    type: integer,
    default: '1',
    readOn: PROMOTABLE,
    meaning: 'How many instances may be promoted.',
    meanwhile: 'no instance is promoted',
    harmful: true,
  },
  {
    name: 'master-max',
    newer: 'promoted-max',
    type: integer,
    default: '1',
    readOn: PROMOTABLE,
    meaning: 'How many instances may be promoted.',
    meanwhile: 'no instance is promoted',
    harmful: true,
  },
  {
    name: 'migration-threshold',
    type: { kind: 'or-default', of: score },
    default: 'INFINITY',
    meaning: 'After how many failures on a node the resource may not run there any more; 0: never.',
    meanwhile: 'failures drive it from no node',
    harmful: true,
  },
  {
    name: 'is-managed',
    type: { kind: 'or-default', of: boolean },
    default: 'true',
    meaning: 'Whether the resource is started, stopped, promoted and demoted. One that is not managed is still monitored.',
    meanwhile: 'the resource is not managed',
    harmful: false,
  },
  {
    name: 'target-role',
    type: select('started', 'stopped', 'promoted', 'unpromoted', 'master', 'slave', 'default'),
    default: 'Started',
    meaning: 'The most that the resource may be: Stopped, Unpromoted (of a promotable clone: nothing is promoted), or whatever it can be.',
    meanwhile: 'it has no effect',
    harmful: false,
  },
  {
    name: 'multiple-active',
    type: select('stop_start', 'stop_only', 'block', 'stop_unexpected'),
    default: 'stop_start',
    meaning:
      'What is done where the resource is found active on more nodes than it may be: stop all and start one, stop all, touch nothing, or stop those that should not be.',
    meanwhile: 'stop_start is used',
    harmful: false,
  },
  {
    name: 'priority',
    type: score,
    default: '0',
    meaning: 'Where not all resources can run, those with the higher priority do; and where one has to be taken first, it is those.',
    meanwhile: 'it counts as 0',
    harmful: false,
  },
  {
    name: 'resource-stickiness',
    type: { kind: 'or-default', of: score },
    default: '0',
    meaning: 'How much the resource prefers to stay where it is, as a score. Instances of clones have 1 where it is not given.',
    meanwhile: 'it counts as 0',
    harmful: false,
  },
  {
    name: 'failure-timeout',
    type: { kind: 'duration' },
    default: '0',
    meaning: 'After how long without another one failures are forgotten; 0: not before somebody cleans up.',
    meanwhile: 'failures do not expire',
    harmful: false,
  },
  {
    name: 'clone-node-max',
    type: integer,
    default: '1',
    readOn: CLONE,
    meaning: 'How many instances a node may have; more than one only where they are globally unique.',
    meanwhile: 'it counts as 0',
    harmful: false,
  },
  {
    name: 'clone-min',
    type: integer,
    default: '0',
    readOn: CLONE,
    meaning: 'How many instances must be active before what is ordered after the clone may start.',
    meanwhile: 'it counts as 0',
    harmful: false,
  },
  {
    name: 'promoted-node-max',
    type: integer,
    default: '1',
    readOn: PROMOTABLE,
    meaning: 'How many instances on one node may be promoted.',
    meanwhile: 'it counts as 0',
    harmful: false,
  },
  {
    name: 'master-node-max',
    newer: 'promoted-node-max',
    type: integer,
    default: '1',
    readOn: PROMOTABLE,
    meaning: 'How many instances on one node may be promoted.',
    meanwhile: 'it counts as 0',
    harmful: false,
  },
  {
    name: 'collocated',
    type: boolean,
    default: 'true',
    readOn: ['group'],
    meaning: 'Whether the members run on one node.',
    meanwhile: 'it counts as true',
    harmful: false,
  },
  {
    name: 'allow-migrate',
    type: boolean,
    default: 'false',
    meaning: 'Whether the resource moves by migrate_to and migrate_from, if its agent can, instead of by a stop and a start.',
    meanwhile: 'it counts as false',
    harmful: false,
  },
  {
    name: 'critical',
    type: boolean,
    default: 'true',
    meaning:
      'Whether where this resource can run has a say in where those may run that it is colocated with; false: it rather stops than moves them.',
    meanwhile: 'it counts as false',
    harmful: false,
  },
  {
    name: 'notify',
    type: boolean,
    default: 'false',
    readOn: CLONE,
    meaning: 'Whether all instances are told before and after anything is done to one of them.',
    meanwhile: 'it counts as false',
    harmful: false,
  },
  {
    name: 'allow-unhealthy-nodes',
    type: boolean,
    default: 'false',
    meaning: 'Whether the resource may run where the health of a node would keep it away.',
    meanwhile: 'it counts as false',
    harmful: false,
  },
  {
    name: 'globally-unique',
    type: boolean,
    default: 'false',
    readOn: CLONE,
    meaning: 'Whether each instance is another service, told apart by its number.',
    meanwhile: 'it counts as false',
    harmful: false,
  },
  {
    name: 'promotable',
    type: boolean,
    default: 'false',
    readOn: CLONE,
    meaning: 'Whether instances have two roles: some are promoted.',
    meanwhile: 'it counts as false',
    harmful: false,
  },
  {
    name: 'interleave',
    type: boolean,
    default: 'false',
    readOn: ['clone', 'bundle'],
    meaning: 'Whether an instance that is ordered after another clone waits for the instance on its own node only.',
    meanwhile: 'it counts as false',
    harmful: false,
  },
];

/** Others that count among the meta-attributes of resources, or of remote nodes (specification 02 §3.3, §9). */
export const OTHER_RESOURCE_ATTRIBUTES: readonly (AttributeDescription | AttributeDefinition)[] = [
  {
    name: 'requires',
    type: select('nothing', 'quorum', 'fencing', 'unfencing'),
    default: undefined,
    meanwhile: 'it counts as not given',
    harmful: false,
    meaning:
      'What must be given before the resource is started: quorum; all lost nodes fenced; the node unfenced. Not given: fencing where that is enabled, quorum of fence devices, else quorum.',
  },
  {
    name: 'container-attribute-target',
    type: text,
    default: undefined,
    meaning: 'With `host`, attributes of a bundle’s or guest’s host count instead of its own.',
  },
  {
    name: 'ordered',
    type: boolean,
    default: undefined,
    meanwhile: 'it counts as not given',
    harmful: false,
    readOn: ['clone', 'group'],
    meaning: 'Of a group (true where not given): whether members start one after another. Of a clone (false): whether instances do.',
  },
  // The extension of specification 09, which Pacemaker lacks.
  {
    name: 'resource-failure-stickiness',
    pacemakers: false,
    type: score,
    default: undefined,
    meaning:
      'What each failure on a node adds to the score of the resource there, with `failure-stickiness-enabled`. Not given: default-resource-failure-stickiness.',
    meanwhile: 'it counts as 0',
    harmful: false,
  },
  {
    name: 'resource_failure_stickiness',
    pacemakers: false,
    newer: 'resource-failure-stickiness',
    type: score,
    default: undefined,
    meaning: 'What each failure on a node adds to the score of the resource there.',
    meanwhile: 'it counts as 0',
    harmful: false,
  },
  { name: 'container', type: text, default: undefined, meaning: 'The resource that must be active for this one to be.' },
  { name: 'provides', type: text, default: undefined, meaning: 'With `unfencing`, a fence device also unfences nodes.' },
  {
    name: 'external-ip',
    type: text,
    default: undefined,
    meaning:
      'The address of the replica of a bundle, which the resource in it is told as `pcmk_external_ip`. The bundle sets it by itself.',
  },
  {
    name: 'internal_rsc',
    type: boolean,
    default: undefined,
    meaning: 'Whether lists of resources leave it out.',
    meanwhile: 'it counts as false',
    harmful: false,
  },
  { name: 'remote-node', type: text, default: undefined, meaning: 'The name of the guest node that the resource makes.' },
  {
    name: 'remote-addr',
    type: text,
    default: undefined,
    meaning: 'Where the guest node is reached; its name where not given.',
    differs: AGENT_CALLS,
  },
  { name: 'remote-port', type: text, default: '3121', meaning: 'The port of the guest node.', differs: AGENT_CALLS },
  {
    name: 'remote-connect-timeout',
    type: time,
    default: '60s',
    meaning: 'How long a connection to the guest node may take.',
    meanwhile: '20s is used',
    harmful: false,
  },
  {
    name: 'remote-allow-migrate',
    type: boolean,
    default: undefined,
    meaning: 'Whether the connection to the guest node may migrate.',
    meanwhile: 'it counts as false',
    harmful: false,
  },
];

/** Older names of one of these. */
export function olderNamesOf(name: string, all: readonly AttributeDescription[]): readonly string[] {
  return all.filter(({ newer }) => newer === name).map((older) => older.name);
}

/** Names of operations that the cluster itself asks for, or that the standards of resource agents define; an agent may have others. */
export const OPERATION_NAMES: readonly string[] = [
  ...['start', 'stop', 'monitor', 'promote', 'demote', 'notify', 'migrate_to', 'migrate_from', 'reload', 'reload-agent'],
  ...['validate-all', 'meta-data', 'methods', 'status', 'recover', 'restart', 'usage', 'force-reload', 'migrate'],
];

/** Of these, those that happen once and never recur (specification 02 §11.3). */
export const OPERATIONS_THAT_HAPPEN_ONCE: ReadonlySet<string> = new Set([
  ...['start', 'stop', 'promote', 'demote', 'reload-agent', 'migrate_to', 'migrate_from'],
]);
