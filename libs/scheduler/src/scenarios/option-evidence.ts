/** A test of another package, by its path in the repository and its title, or the beginning of that. */
export interface Evidence {
  readonly file: string;
  readonly title: string;
}

const DEVICE: Evidence = { file: 'libs/cluster/src/fencing/device.unit.spec.ts', title: 'is what its parameters for %s say' };
const CHECK: Evidence = {
  file: 'libs/cluster/src/fencing/device.unit.spec.ts',
  title: 'is to make sure first that the device can fence the target',
};
const TOLD: Evidence = { file: 'libs/cluster/src/fencing/fencing.unit.spec.ts', title: 'is its own parameters, the action and the plug' };
const MONITOR = 'libs/ocf/src/fence-agent/execute.int.spec.ts';
const LEVELS = 'libs/cluster/src/fencing/topology.unit.spec.ts';
const ALERTS = 'libs/cib/src/alerts/configured-alerts.unit.spec.ts';
const QUORUM = 'libs/cluster/src/quorum/quorum.unit.spec.ts';
const AGENTS = 'test/e2e/options.e2e.spec.ts';
const IN_FORCE = 'libs/cluster/src/engine/options-in-force.unit.spec.ts';
const NOTES: Evidence = {
  file: 'libs/cib/src/options/options-page.unit.spec.ts',
  title: 'refuses what asks for more than what happens anyway',
};

const NOT_DIALLED: Evidence = { file: 'libs/cib/src/findings/configuration-findings.unit.spec.ts', title: "['server', 'far.example.org'" };
const CONNECTIONS = 'Parameters of connections to remote nodes (`ocf:pacemaker:remote`)';

/** What tries the options that do not change a plan, but how it is carried out, when it is made, or who may do what: by the key of their row. */
export const EVIDENCE: Readonly<Record<string, Evidence>> = {
  [`${CONNECTIONS}: server`]: NOT_DIALLED,
  [`${CONNECTIONS}: port`]: NOT_DIALLED,
  [`${CONNECTIONS}: reconnect_interval`]: {
    file: 'libs/scheduler/src/scenarios/02-resources-remote.scenario',
    title: 'when to reconnect is also when failures are forgotten',
  },
  'Cluster options: dc-version': NOTES,
  'Cluster options: cluster-infrastructure': NOTES,
  'Cluster options: last-lrm-refresh': { file: IN_FORCE, title: 'last-lrm-refresh: whoever writes it' },
  'Cluster options: dc-deadtime': {
    file: 'libs/cluster/src/lease/absence.unit.spec.ts',
    title: 'get dc-deadtime when several are lost at once',
  },
  'Cluster options: cluster-recheck-interval': {
    file: 'libs/control-plane/src/turns/next-plan.unit.spec.ts',
    title: 'is due after the recheck interval',
  },
  'Cluster options: shutdown-escalation': { file: AGENTS, title: 'shutdown-escalation: an agent whose node' },
  'Cluster options: transition-delay': { file: AGENTS, title: 'transition-delay: what follows within it' },
  'Cluster options: load-threshold': { file: AGENTS, title: 'load-threshold: a node whose processors' },
  'Cluster options: node-action-limit': { file: AGENTS, title: 'node-action-limit: one action at a time on a node' },
  'Cluster options: batch-limit': { file: AGENTS, title: 'batch-limit: one action at a time' },
  'Cluster options: migration-limit': { file: IN_FORCE, title: 'migration-limit: so many live migrations' },
  'Cluster options: cluster-delay': { file: IN_FORCE, title: 'cluster-delay: so much longer' },
  'Cluster options: fencing-watchdog-timeout': {
    file: 'test/e2e/watchdog.e2e.spec.ts',
    title: 'a node that is cut off: it lets itself be reset',
  },
  'Cluster options: fencing-reaction': { file: IN_FORCE, title: 'fence-reaction: what agents do' },
  'Cluster options: fencing-max-attempts': {
    file: 'libs/cluster/src/fencing/fencing.unit.spec.ts',
    title: 'failed 2 times',
  },
  'Cluster options: systole-two-node': { file: QUORUM, title: 'of two nodes is one, once both have been seen' },
  'Cluster options: systole-wait-for-all': { file: QUORUM, title: 'with wait-for-all is first granted to a full house' },
  'Cluster options: systole-expected-votes': { file: QUORUM, title: 'may expect a fixed number' },
  'Cluster options: systole-down-margin': { file: 'libs/cluster/src/lease/lease.unit.spec.ts', title: "'systole-down-margin', '5s'" },
  'Cluster options: systole-on-lease-loss': {
    file: 'libs/cluster/src/lease/lease-loss.unit.spec.ts',
    title: "'systole-on-lease-loss', 'keep'",
  },
  'Cluster options: systole-fencing-limit': {
    file: 'libs/cluster/src/lease/absence.unit.spec.ts',
    title: "'systole-fencing-limit', '50%'",
  },
  'Cluster options: systole-agent-writes': {
    file: 'libs/cluster/src/commands/ask-for-agent.unit.spec.ts',
    title: "'systole-agent-writes', writes",
  },
  'Meta-attributes of resources, and resource defaults: internal_rsc': {
    file: 'libs/simulator/src/status/implicit-connections.unit.spec.ts',
    title: 'is not listed (internal_rsc)',
  },
  'Operations, and operation defaults: record-pending': {
    file: 'apps/api/src/status/pending-operations.unit.spec.ts',
    title: 'record-pending',
  },
  'Constraints, sets, rules and fencing levels: index of fencing-level': { file: LEVELS, title: 'come by ascending index' },
  'Constraints, sets, rules and fencing levels: devices of fencing-level': {
    file: LEVELS,
    title: 'with several devices reboot by switching all off',
  },
  'Constraints, sets, rules and fencing levels: target of fencing-level': { file: LEVELS, title: 'by name, whatever its case' },
  'Constraints, sets, rules and fencing levels: target-pattern of fencing-level': { file: LEVELS, title: 'by a pattern' },
  'Constraints, sets, rules and fencing levels: target-attribute of fencing-level': { file: LEVELS, title: 'by an attribute' },
  'Parameters of fence devices: pcmk_host_list': {
    file: 'libs/cluster/src/fencing/fencing.unit.spec.ts',
    title: "pcmk_host_list: 'n1 N3'",
  },
  'Parameters of fence devices: pcmk_host_map': TOLD,
  'Parameters of fence devices: pcmk_host_argument': TOLD,
  'Parameters of fence devices: pcmk_host_check': CHECK,
  'Parameters of fence devices: pcmk_delay_base': {
    file: 'libs/cluster/src/fencing/device.unit.spec.ts',
    title: 'waits for one time, or for one by node',
  },
  'Parameters of fence devices: pcmk_delay_max': {
    file: 'libs/cluster/src/fencing/fencing-step.unit.spec.ts',
    title: 'may be delayed at random by what pcmk_delay_max leaves',
  },
  'Parameters of fence devices: pcmk_action_limit': {
    file: 'libs/cluster/src/fencing/fencing-step.unit.spec.ts',
    title: "pcmk_action_limit: '2'",
  },
  ...Object.fromEntries(
    ['reboot', 'off', 'on'].flatMap((action) =>
      ['action', 'timeout', 'retries'].map((what) => [`Parameters of fence devices: pcmk_${action}_${what}`, DEVICE] as const),
    ),
  ),
  ...Object.fromEntries(
    ['list', 'status'].flatMap((action) =>
      ['action', 'timeout', 'retries'].map((what) => [`Parameters of fence devices: pcmk_${action}_${what}`, CHECK] as const),
    ),
  ),
  'Parameters of fence devices: pcmk_monitor_action': { file: MONITOR, title: 'is the action that is configured for it' },
  'Parameters of fence devices: pcmk_monitor_retries': { file: MONITOR, title: 'fails when it fails as often as it is tried' },
  'Meta-attributes of alerts: enabled': { file: ALERTS, title: 'are not called when they are not enabled' },
  'Meta-attributes of alerts: timeout': { file: ALERTS, title: 'time out by the default where the text means nothing' },
  'Meta-attributes of alerts: timestamp-format': { file: ALERTS, title: 'are called once for each recipient' },
};
