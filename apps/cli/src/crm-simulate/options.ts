export type OptionGroup = 'Operations' | 'Synthetic cluster events' | 'Artifacts' | 'Data source' | 'Output' | 'Application' | 'Help';

/** An option of the program. */
export interface OptionDefinition {
  readonly short?: string;
  readonly long: string;
  /** What its value is called in the help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
  readonly group: OptionGroup;
}

/** The options in the order of the help (specification 08 §10.1); names and letters are those of the program that this one replaces. */
export const OPTIONS = [
  { group: 'Operations', short: 'R', long: 'run', help: 'show what the cluster would do' },
  { group: 'Operations', short: 'S', long: 'simulate', help: 'like --run, then pretend to do it and show the status that results' },
  { group: 'Operations', short: 'X', long: 'in-place', help: 'like --simulate, and store the result in the input file' },
  { group: 'Operations', short: 'A', long: 'show-attrs', help: 'show node attributes' },
  { group: 'Operations', short: 'c', long: 'show-failcounts', help: 'show fail counts and failed operations' },
  { group: 'Operations', short: 's', long: 'show-scores', help: 'show assignment scores' },
  { group: 'Operations', short: 'U', long: 'show-utilization', help: 'show utilization' },
  {
    group: 'Operations',
    short: 'P',
    long: 'profile',
    value: 'DIR',
    help: 'schedule every XML file of a directory and show how long each takes',
  },
  { group: 'Operations', short: 'N', long: 'repeat', value: 'N', help: 'with --profile: schedule each file N times' },

  { group: 'Synthetic cluster events', short: 'u', long: 'node-up', value: 'NODE', help: 'bring a node online' },
  { group: 'Synthetic cluster events', short: 'd', long: 'node-down', value: 'NODE', help: 'take a node offline' },
  { group: 'Synthetic cluster events', short: 'f', long: 'node-fail', value: 'NODE', help: 'let a node fail' },
  { group: 'Synthetic cluster events', short: 'i', long: 'op-inject', value: 'OPSPEC', help: 'record the result of an operation' },
  { group: 'Synthetic cluster events', short: 'F', long: 'op-fail', value: 'OPSPEC', help: 'let an operation fail during the simulation' },
  {
    group: 'Synthetic cluster events',
    short: 't',
    long: 'set-datetime',
    value: 'DATETIME',
    help: 'pretend that it is that time (ISO 8601)',
  },
  { group: 'Synthetic cluster events', short: 'q', long: 'quorum', value: 'QUORUM', help: 'set whether the cluster has quorum' },
  { group: 'Synthetic cluster events', short: 'w', long: 'watchdog', value: 'DEVICE', help: 'set whether the cluster has a watchdog' },
  { group: 'Synthetic cluster events', short: 'g', long: 'ticket-grant', value: 'TICKET', help: 'grant a ticket' },
  { group: 'Synthetic cluster events', short: 'r', long: 'ticket-revoke', value: 'TICKET', help: 'revoke a ticket' },
  { group: 'Synthetic cluster events', short: 'b', long: 'ticket-standby', value: 'TICKET', help: 'make a ticket standby' },
  { group: 'Synthetic cluster events', short: 'e', long: 'ticket-activate', value: 'TICKET', help: 'activate a ticket' },

  { group: 'Artifacts', short: 'I', long: 'save-input', value: 'FILE', help: 'save the CIB as it is after synthetic events' },
  { group: 'Artifacts', short: 'O', long: 'save-output', value: 'FILE', help: 'save the CIB as it is at the end' },
  { group: 'Artifacts', short: 'G', long: 'save-graph', value: 'FILE', help: 'save the transition graph as XML' },
  { group: 'Artifacts', short: 'D', long: 'save-dotfile', value: 'FILE', help: 'save the transition graph in the dot language' },
  { group: 'Artifacts', short: 'a', long: 'all-actions', help: 'draw actions that are not needed, too' },

  {
    group: 'Data source',
    short: 'L',
    long: 'live-check',
    help: 'read the CIB that CIB_file or CIB_shadow names in the environment',
  },
  { group: 'Data source', short: 'x', long: 'xml-file', value: 'FILE', help: 'read the CIB from a file; "-" is standard input' },
  { group: 'Data source', short: 'p', long: 'xml-pipe', help: 'read the CIB from standard input (the default)' },

  { group: 'Output', long: 'output-as', value: 'FORMAT', help: 'text (the default), xml or json' },
  { group: 'Output', long: 'output-to', value: 'DEST', help: 'write the report to a file; "-" is standard output' },
  { group: 'Output', long: 'text-fancy', help: 'accepted for compatibility: text has lists anyway' },

  {
    group: 'Application',
    short: 'V',
    long: 'verbose',
    help: 'tell what is wrong with the configuration on standard error, and put action ids in the dot file',
  },
  { group: 'Application', short: 'Q', long: 'quiet', help: 'show only what is asked for expressly' },
  { group: 'Application', short: 'j', long: 'pending', help: 'accepted for compatibility: pending operations are shown anyway' },
  { group: 'Application', short: '$', long: 'version', help: 'show the version' },

  { group: 'Help', short: 'h', long: 'help', help: 'show all options' },
  { group: 'Help', long: 'help-all', help: 'show all options' },
  { group: 'Help', long: 'help-output', help: 'show output options' },
  { group: 'Help', long: 'help-operations', help: 'show operations' },
  { group: 'Help', long: 'help-synthetic', help: 'show synthetic cluster events' },
  { group: 'Help', long: 'help-artifact', help: 'show artifacts' },
  { group: 'Help', long: 'help-source', help: 'show data sources' },
] as const satisfies readonly OptionDefinition[];

export type OptionName = (typeof OPTIONS)[number]['long'];

/** What each option that asks for help shows; undefined is everything. */
export const HELP = {
  help: undefined,
  'help-all': undefined,
  'help-output': 'Output',
  'help-operations': 'Operations',
  'help-synthetic': 'Synthetic cluster events',
  'help-artifact': 'Artifacts',
  'help-source': 'Data source',
} as const satisfies Partial<Record<OptionName, OptionGroup | undefined>>;

/** The help text, on one group of options or on all. */
export function helpText(only?: OptionGroup): string {
  let text =
    'Usage:\n  crm_simulate [OPTION...]\n\nSimulates what a cluster would do. Reads a CIB and shows its status and, as asked, what would follow.\n';
  let group = '';
  for (const option of OPTIONS as readonly OptionDefinition[]) {
    if (only !== undefined && option.group !== only) continue;
    if (option.group !== group) text += `\n${option.group}:\n`;
    group = option.group;
    const name = `${option.short === undefined ? '    ' : `-${option.short}, `}--${option.long}${option.value === undefined ? '' : `=${option.value}`}`;
    text += `  ${name.padEnd(30)} ${option.help}\n`;
  }
  return `${text}\nOPSPEC is RESOURCE_TASK_INTERVAL@NODE=RC, with the interval in milliseconds, e.g. db_monitor_10000@node1=7\n`;
}
