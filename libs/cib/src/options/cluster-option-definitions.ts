/** What texts an option accepts (specification 01 §3.2); a text that fails its test counts as absent. */
export type ClusterOptionKind =
  | { readonly kind: 'boolean' }
  /** An interval specification. */
  | { readonly kind: 'duration' }
  /** `INFINITY`, `+INFINITY`, `-INFINITY` or a text that starts with an integer. */
  | { readonly kind: 'integer' }
  | { readonly kind: 'select'; readonly allowed: readonly string[]; readonly caseSensitive?: boolean }
  | { readonly kind: 'text' };

export interface ClusterOptionDefinition {
  readonly name: string;
  /** The name's older form; used when the name itself is not configured. */
  readonly alias?: string;
  readonly type: ClusterOptionKind;
  /** The value of an option that is not configured, or configured wrongly; undefined: it then has none. */
  readonly default: string | undefined;
  /** Whether the option can change a schedule. */
  readonly scheduling: boolean;
}

const boolean = { kind: 'boolean' } as const;
const duration = { kind: 'duration' } as const;
const integer = { kind: 'integer' } as const;
const text = { kind: 'text' } as const;

/** Every cluster option by name, with its default (specification 01 §3.2; those without influence on scheduling as Pacemaker documents them). */
export const CLUSTER_OPTIONS = [
  {
    name: 'no-quorum-policy',
    type: { kind: 'select', allowed: ['stop', 'freeze', 'ignore', 'demote', 'fence', 'suicide'] },
    default: 'stop',
    scheduling: true,
  },
  { name: 'fencing-enabled', alias: 'stonith-enabled', type: boolean, default: 'true', scheduling: true },
  {
    name: 'fencing-action',
    alias: 'stonith-action',
    type: { kind: 'select', allowed: ['reboot', 'off'], caseSensitive: true },
    default: 'reboot',
    scheduling: true,
  },
  { name: 'fencing-timeout', alias: 'stonith-timeout', type: duration, default: '60s', scheduling: true },
  { name: 'startup-fencing', type: boolean, default: 'true', scheduling: true },
  { name: 'concurrent-fencing', type: boolean, default: 'true', scheduling: true },
  { name: 'priority-fencing-delay', type: duration, default: '0', scheduling: true },
  { name: 'node-pending-timeout', type: duration, default: '0', scheduling: true },
  { name: 'fence-remote-without-quorum', type: boolean, default: 'false', scheduling: true },
  { name: 'have-watchdog', type: boolean, default: 'false', scheduling: true },
  { name: 'symmetric-cluster', type: boolean, default: 'true', scheduling: true },
  { name: 'maintenance-mode', type: boolean, default: 'false', scheduling: true },
  { name: 'stop-all-resources', type: boolean, default: 'false', scheduling: true },
  { name: 'start-failure-is-fatal', type: boolean, default: 'true', scheduling: true },
  { name: 'enable-startup-probes', type: boolean, default: 'true', scheduling: true },
  { name: 'stop-removed-resources', alias: 'stop-orphan-resources', type: boolean, default: 'true', scheduling: true },
  { name: 'cancel-removed-actions', alias: 'stop-orphan-actions', type: boolean, default: 'true', scheduling: true },
  { name: 'shutdown-lock', type: boolean, default: 'false', scheduling: true },
  { name: 'shutdown-lock-limit', type: duration, default: '0', scheduling: true },
  {
    name: 'placement-strategy',
    type: { kind: 'select', allowed: ['default', 'utilization', 'minimal', 'balanced'] },
    default: 'default',
    scheduling: true,
  },
  {
    name: 'node-health-strategy',
    type: { kind: 'select', allowed: ['none', 'migrate-on-red', 'only-green', 'progressive', 'custom'] },
    default: 'none',
    scheduling: true,
  },
  { name: 'node-health-base', type: integer, default: '0', scheduling: true },
  { name: 'node-health-green', type: integer, default: '0', scheduling: true },
  { name: 'node-health-yellow', type: integer, default: '0', scheduling: true },
  { name: 'node-health-red', type: integer, default: '-INFINITY', scheduling: true },
  { name: 'cluster-delay', type: duration, default: '60s', scheduling: true },
  { name: 'batch-limit', type: integer, default: '0', scheduling: true },
  { name: 'migration-limit', type: integer, default: '-1', scheduling: true },
  // The extension of specification 09, which Pacemaker lacks.
  { name: 'failure-stickiness-enabled', type: boolean, default: 'false', scheduling: true },
  {
    name: 'default-resource-failure-stickiness',
    alias: 'default_resource_failure_stickiness',
    type: integer,
    default: '0',
    scheduling: true,
  },
  { name: 'cluster-name', type: text, default: undefined, scheduling: true },
  { name: 'dc-version', type: text, default: undefined, scheduling: false },
  { name: 'cluster-infrastructure', type: text, default: undefined, scheduling: false },
  { name: 'dc-deadtime', type: duration, default: '20s', scheduling: false },
  { name: 'cluster-recheck-interval', type: duration, default: '15min', scheduling: false },
  { name: 'election-timeout', type: duration, default: '2min', scheduling: false },
  { name: 'shutdown-escalation', type: duration, default: '20min', scheduling: false },
  { name: 'join-integration-timeout', type: duration, default: '3min', scheduling: false },
  { name: 'join-finalization-timeout', type: duration, default: '30min', scheduling: false },
  { name: 'transition-delay', type: duration, default: '0s', scheduling: false },
  { name: 'enable-acl', type: boolean, default: 'false', scheduling: false },
  {
    name: 'fencing-reaction',
    alias: 'fence-reaction',
    type: { kind: 'select', allowed: ['stop', 'panic'] },
    default: 'stop',
    scheduling: false,
  },
  { name: 'fencing-watchdog-timeout', alias: 'stonith-watchdog-timeout', type: duration, default: '0', scheduling: false },
  { name: 'fencing-max-attempts', alias: 'stonith-max-attempts', type: integer, default: '10', scheduling: false },
  { name: 'load-threshold', type: text, default: '80%', scheduling: false },
  { name: 'node-action-limit', type: integer, default: '0', scheduling: false },
  { name: 'cluster-ipc-limit', type: integer, default: '500', scheduling: false },
  { name: 'pe-error-series-max', type: integer, default: '-1', scheduling: false },
  { name: 'pe-warn-series-max', type: integer, default: '5000', scheduling: false },
  { name: 'pe-input-series-max', type: integer, default: '4000', scheduling: false },
  { name: 'last-lrm-refresh', type: text, default: undefined, scheduling: false },
] as const satisfies readonly ClusterOptionDefinition[];

type Definition = (typeof CLUSTER_OPTIONS)[number];

export type ClusterOptionName = Definition['name'];

/** Names of the options of one kind. */
export type ClusterOptionOfKind<Kind extends ClusterOptionKind['kind']> = Extract<
  Definition,
  { readonly type: { readonly kind: Kind } }
>['name'];
