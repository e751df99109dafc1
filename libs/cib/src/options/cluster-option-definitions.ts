import { AGENT_WRITES_DEFAULT, AGENT_WRITES_OPTION } from './agent-writes.js';
import type { ClusterOptionKind } from './option-type.js';

export interface ClusterOptionDefinition {
  readonly name: string;
  /** The name's older form; used when the name itself is not configured. */
  readonly alias?: string;
  readonly type: ClusterOptionKind;
  /** The value of an option that is not configured, or configured wrongly; undefined: it then has none. */
  readonly default: string | undefined;
  /** Whether the option can change a schedule. */
  readonly scheduling: boolean;
  /** What it does, for people: a row of the reference page. */
  readonly meaning: string;
  /** Where it is kept and nothing is done: why, or what does instead, for people. */
  readonly inert?: string;
  /** Whether tools write it of their own accord, so that nobody waits for what it says. */
  readonly note?: true;
}

const boolean = { kind: 'boolean' } as const;
const duration = { kind: 'duration' } as const;
const integer = { kind: 'integer' } as const;
const text = { kind: 'text' } as const;

/**
 * Every cluster option by name, with its default (specification 01 §3.2; those without influence on scheduling as Pacemaker documents them). The one
 * table: the scheduler, the cluster, the check of what is submitted and the reference page read it.
 */
export const CLUSTER_OPTIONS = [
  {
    name: 'no-quorum-policy',
    type: { kind: 'select', allowed: ['stop', 'freeze', 'ignore', 'demote', 'fence', 'suicide'] },
    default: 'stop',
    scheduling: true,
    meaning:
      'What happens to the resources of a partition without quorum: they are stopped, left as they are (freeze), run as if nothing had happened (ignore), demoted, or the nodes are fenced.',
  },
  {
    name: 'fencing-enabled',
    alias: 'stonith-enabled',
    type: boolean,
    default: 'true',
    scheduling: true,
    meaning:
      'Whether nodes are fenced. Without fencing, what ran on a lost node starts elsewhere in the belief that its agent has stopped it.',
  },
  {
    name: 'fencing-action',
    alias: 'stonith-action',
    type: { kind: 'select', allowed: ['reboot', 'off'], caseSensitive: true },
    default: 'reboot',
    scheduling: true,
    meaning: 'What a fence device does with a node.',
  },
  {
    name: 'fencing-timeout',
    alias: 'stonith-timeout',
    type: duration,
    default: '60s',
    scheduling: true,
    meaning: 'How long an attempt to fence may take, where the device does not say.',
  },
  { name: 'startup-fencing', type: boolean, default: 'true', scheduling: true, meaning: 'Whether nodes that were never seen are fenced.' },
  {
    name: 'concurrent-fencing',
    type: boolean,
    default: 'true',
    scheduling: true,
    meaning: 'Whether several nodes may be fenced at the same time.',
  },
  {
    name: 'priority-fencing-delay',
    type: duration,
    default: '0',
    scheduling: true,
    meaning: 'By how much the fencing of the node with the most important resources is delayed.',
  },
  {
    name: 'node-pending-timeout',
    type: duration,
    default: '0',
    scheduling: true,
    meaning: 'How long a node may take to join before it is fenced; 0: for ever.',
    inert: 'a node joins by one request, so that none ever is on the way; one that does not hold its lease is lost, and fenced',
  },
  {
    name: 'fence-remote-without-quorum',
    type: boolean,
    default: 'false',
    scheduling: true,
    meaning: 'Whether a partition without quorum may fence remote nodes.',
  },
  {
    name: 'have-watchdog',
    type: boolean,
    default: 'false',
    scheduling: true,
    meaning:
      'Whether nodes are fenced by their own watchdogs. The cluster writes it: true where fencing-watchdog-timeout is set and the agent of any node feeds a watchdog whose time-out is known; the status says which nodes. It counts as a fence device: without any other one resources are managed.',
  },
  {
    name: 'symmetric-cluster',
    type: boolean,
    default: 'true',
    scheduling: true,
    meaning: 'Whether a resource may run on any node, or only where a location constraint lets it.',
  },
  {
    name: 'maintenance-mode',
    type: boolean,
    default: 'false',
    scheduling: true,
    meaning: 'Leaves all resources alone: nothing is started, stopped, monitored or recovered.',
  },
  { name: 'stop-all-resources', type: boolean, default: 'false', scheduling: true, meaning: 'Stops all resources.' },
  {
    name: 'start-failure-is-fatal',
    type: boolean,
    default: 'true',
    scheduling: true,
    meaning: 'Whether one failed start bans a resource from the node; otherwise it counts against migration-threshold.',
  },
  {
    name: 'enable-startup-probes',
    type: boolean,
    default: 'true',
    scheduling: true,
    meaning: 'Whether a node that joins is asked what runs there already.',
  },
  {
    name: 'stop-removed-resources',
    alias: 'stop-orphan-resources',
    type: boolean,
    default: 'true',
    scheduling: true,
    meaning: 'Whether resources are stopped that were taken out of the configuration.',
  },
  {
    name: 'cancel-removed-actions',
    alias: 'stop-orphan-actions',
    type: boolean,
    default: 'true',
    scheduling: true,
    meaning: 'Whether recurring operations are cancelled that were taken out of the configuration.',
  },
  {
    name: 'shutdown-lock',
    type: boolean,
    default: 'false',
    scheduling: true,
    meaning: 'Whether the resources of a node that is shut down wait for it to come back.',
  },
  { name: 'shutdown-lock-limit', type: duration, default: '0', scheduling: true, meaning: 'How long they wait; 0: for ever.' },
  {
    name: 'placement-strategy',
    type: { kind: 'select', allowed: ['default', 'utilization', 'minimal', 'balanced'] },
    default: 'default',
    scheduling: true,
    meaning: 'How utilization counts when nodes are chosen.',
  },
  {
    name: 'node-health-strategy',
    type: { kind: 'select', allowed: ['none', 'migrate-on-red', 'only-green', 'progressive', 'custom'] },
    default: 'none',
    scheduling: true,
    meaning: 'How the health attributes of nodes count when nodes are chosen.',
  },
  {
    name: 'node-health-base',
    type: integer,
    default: '0',
    scheduling: true,
    meaning: 'The score that each node has from the start, with the strategy progressive.',
  },
  {
    name: 'node-health-green',
    type: integer,
    default: '0',
    scheduling: true,
    meaning: 'What the word green is worth as a score, with the strategies progressive and custom.',
  },
  {
    name: 'node-health-yellow',
    type: integer,
    default: '0',
    scheduling: true,
    meaning: 'What the word yellow is worth as a score, with the strategies progressive and custom.',
  },
  {
    name: 'node-health-red',
    type: integer,
    default: '-INFINITY',
    scheduling: true,
    meaning: 'What the word red is worth as a score, with the strategies progressive and custom.',
  },
  {
    name: 'cluster-delay',
    type: duration,
    default: '60s',
    scheduling: true,
    meaning: 'What the network may add to the time-out of an action.',
  },
  {
    name: 'batch-limit',
    type: integer,
    default: '0',
    scheduling: true,
    meaning: 'How many actions may be in flight in the cluster; 0: as many as its nodes take (`node-action-limit`).',
  },
  {
    name: 'migration-limit',
    type: integer,
    default: '-1',
    scheduling: true,
    meaning: 'How many live migrations a node may have a part in at a time; 0 or less: any number.',
  },
  // The extension of specification 09, which Pacemaker lacks.
  {
    name: 'failure-stickiness-enabled',
    type: boolean,
    default: 'false',
    scheduling: true,
    meaning: 'Whether failures make a resource less sticky, by its failure stickiness for each of them; Pacemaker lacks this.',
  },
  {
    name: 'default-resource-failure-stickiness',
    alias: 'default_resource_failure_stickiness',
    type: integer,
    default: '0',
    scheduling: true,
    meaning: 'The failure stickiness of resources that set none.',
  },
  {
    name: 'cluster-name',
    type: text,
    default: undefined,
    scheduling: true,
    meaning: 'The name of the cluster; nodes have it as attribute #cluster-name.',
  },
  {
    name: 'dc-version',
    type: text,
    default: undefined,
    scheduling: false,
    meaning: 'The version of Pacemaker that last held the configuration.',
    inert: 'no node is in charge: a server plans',
    note: true,
  },
  {
    name: 'cluster-infrastructure',
    type: text,
    default: undefined,
    scheduling: false,
    meaning: 'What Pacemaker’s nodes talked over.',
    inert: 'agents talk to the server',
    note: true,
  },
  {
    name: 'dc-deadtime',
    type: duration,
    default: '20s',
    scheduling: false,
    meaning: 'How long the nodes that are there wait for those that are missing before these are fenced.',
  },
  {
    name: 'cluster-recheck-interval',
    type: duration,
    default: '15min',
    scheduling: false,
    meaning: 'The cluster is planned anew at least so often, also when nothing happens; 0: never by itself.',
  },
  {
    name: 'election-timeout',
    type: duration,
    default: '2min',
    scheduling: false,
    meaning: 'How long nodes wait for the election of the one that plans.',
    inert: 'there is no election: a server plans',
  },
  {
    name: 'shutdown-escalation',
    type: duration,
    default: '20min',
    scheduling: false,
    meaning: 'After how long a node that is to shut down does so in any case.',
    inert: 'an agent that shuts down waits until its resources are stopped',
  },
  {
    name: 'join-integration-timeout',
    type: duration,
    default: '3min',
    scheduling: false,
    meaning: 'How long a node may take to enter.',
    inert: 'a node joins by one request',
  },
  {
    name: 'join-finalization-timeout',
    type: duration,
    default: '30min',
    scheduling: false,
    meaning: 'How long the entering of nodes may take in all.',
    inert: 'a node joins by one request',
  },
  {
    name: 'transition-delay',
    type: duration,
    default: '0s',
    scheduling: false,
    meaning: 'How long nothing is planned after a change, so that others can come with it.',
    inert: 'changes that come at once are planned together anyway',
  },
  {
    name: 'enable-acl',
    type: boolean,
    default: 'false',
    scheduling: false,
    meaning: 'Whether the permissions of `acls` count.',
    inert: 'who may do what is said by tokens and their roles',
  },
  {
    name: 'fencing-reaction',
    alias: 'fence-reaction',
    type: { kind: 'select', allowed: ['stop', 'panic'] },
    default: 'stop',
    scheduling: false,
    meaning:
      'What an agent does that hears that its node counts as down while it runs: stop everything and join anew, or have its machine restart at once (panic), and stop everything where that can not be done.',
  },
  {
    name: 'fencing-watchdog-timeout',
    alias: 'stonith-watchdog-timeout',
    type: { kind: 'duration', negative: true },
    default: '0',
    scheduling: false,
    meaning:
      'How long after the loss of its lease a node counts as reset by its own watchdog, and never less than the time-out of that watchdog and a margin; a negative time: twice that time-out; 0: watchdogs do not fence. Only nodes count whose agents have told that the watchdog is armed, after how long it resets the machine, and that they stop feeding it when they can not renew the lease.',
  },
  {
    name: 'fencing-max-attempts',
    alias: 'stonith-max-attempts',
    type: { kind: 'integer', min: 1 },
    default: '10',
    scheduling: false,
    meaning: 'How often fencing of a node may fail before it is left to a person, until the next cluster-recheck-interval.',
  },
  {
    name: 'load-threshold',
    type: text,
    default: '80%',
    scheduling: false,
    meaning: 'How loaded nodes may be before fewer actions are begun.',
    inert: 'load is not measured; `node-action-limit` bounds actions',
  },
  {
    name: 'node-action-limit',
    type: integer,
    default: '0',
    scheduling: false,
    meaning:
      'How many actions may be in flight on one node; 0 or less: as many as its agent carries out at a time (`--action-limit`: twice the cores, unless set). Never more than 1,000.',
  },
  {
    name: 'cluster-ipc-limit',
    type: integer,
    default: '500',
    scheduling: false,
    meaning: 'How many messages may wait between daemons.',
    inert: 'there are no such daemons',
  },
  {
    name: 'pe-error-series-max',
    type: integer,
    default: '-1',
    scheduling: false,
    meaning: 'How many plans with errors are kept.',
    inert: 'the event log keeps every plan',
  },
  {
    name: 'pe-warn-series-max',
    type: integer,
    default: '5000',
    scheduling: false,
    meaning: 'How many plans with warnings are kept.',
    inert: 'the event log keeps every plan',
  },
  {
    name: 'pe-input-series-max',
    type: integer,
    default: '4000',
    scheduling: false,
    meaning: 'How many other plans are kept.',
    inert: 'the event log keeps every plan',
  },
  {
    name: 'last-lrm-refresh',
    type: text,
    default: undefined,
    scheduling: false,
    meaning: 'When a tool last asked for a refresh.',
    inert: 'refreshing is a command, and an event',
    note: true,
  },
  // Our own: what Pacemaker leaves to corosync.conf, or has no word for. It ignores names that it does not know.
  {
    name: 'systole-two-node',
    type: boolean,
    default: 'false',
    scheduling: false,
    meaning: 'With exactly two expected votes one is enough for quorum.',
  },
  {
    name: 'systole-wait-for-all',
    type: boolean,
    default: undefined,
    scheduling: false,
    meaning: 'Quorum is not granted for the first time before every expected vote was seen at once. Not set: as systole-two-node.',
  },
  {
    name: 'systole-expected-votes',
    type: { kind: 'count', min: 1 },
    default: undefined,
    scheduling: false,
    meaning: 'The number of votes of which more than half make a quorum. Not set: the number of configured nodes.',
  },
  {
    name: 'systole-down-margin',
    type: { kind: 'duration-or-auto' },
    default: 'auto',
    scheduling: false,
    meaning:
      'Without fencing: how long after the end of its lease a node is given to stop its resources. auto: the longest stop time-out of what may be active there (plus that of a demote, where it can be promoted), at least 20 s.',
  },
  {
    name: 'systole-on-lease-loss',
    type: { kind: 'select', allowed: ['auto', 'keep', 'stop', 'watchdog'] },
    default: 'auto',
    scheduling: false,
    meaning:
      'What an agent does that can not renew its lease: keep its resources running, stop them, or stop feeding the watchdog. auto: keep where fencing is enabled and a device can fence the node, watchdog where the agent feeds one, else stop.',
  },
  {
    name: 'systole-fencing-limit',
    type: { kind: 'share' },
    default: 'auto',
    scheduling: false,
    meaning:
      'How many nodes, or which share of them, may be fenced within ten minutes before further fencing waits, without those that joined again and held their lease for a minute since. auto: a minority of the nodes, at least one.',
  },
  {
    name: AGENT_WRITES_OPTION,
    type: { kind: 'agent-writes' },
    default: AGENT_WRITES_DEFAULT,
    scheduling: false,
    meaning:
      "What tools that run on a node (crm_attribute, cibadmin, crm_resource, crm_ticket, stonith_admin) may have written by the token of its agent, beyond the node's own attributes. A word for what, for all nodes or, as in configuration@node1, for one: own (what concerns that node alone), options (cluster options that are in no table), placement (moves, bans, failures and history of every resource), tickets, configuration (all of it but this option), fencing, nodes (takes them out). none: nothing. The option itself no agent may change.",
  },
] as const satisfies readonly ClusterOptionDefinition[];

type Definition = (typeof CLUSTER_OPTIONS)[number];

export type ClusterOptionName = Definition['name'];

/** Names of the options of one kind. */
export type ClusterOptionOfKind<Kind extends ClusterOptionKind['kind']> = Extract<
  Definition,
  { readonly type: { readonly kind: Kind } }
>['name'];
