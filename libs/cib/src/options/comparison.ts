import { ALERT_ATTRIBUTES } from '../alerts/alert-definitions.js';
import {
  NODE_ATTRIBUTES,
  olderNamesOf,
  OPERATION_ATTRIBUTES,
  OTHER_OPERATION_ATTRIBUTES,
  OTHER_RESOURCE_ATTRIBUTES,
  RESOURCE_ATTRIBUTES,
  type AttributeDescription,
} from './attribute-definitions.js';
import { CLUSTER_OPTIONS, type ClusterOptionDefinition } from './cluster-option-definitions.js';
import { conductOf, type Conduct, type ConductWord } from './conduct.js';
import { CONSTRAINT_ATTRIBUTES } from './constraint-definitions.js';
import { CONNECTION_PARAMETERS } from './connection-definitions.js';
import { FENCE_DEVICE_PARAMETERS } from './fence-device-definitions.js';
import { isOwnOption } from './option-mistake.js';

/** One thing that a configuration of Pacemaker may say. */
export interface ComparedOption {
  readonly name: string;
  readonly olderNames: readonly string[];
  /** What it may stand on, where its section alone does not say. */
  readonly on: readonly string[];
  readonly conduct: ConductWord;
  /** What happens otherwise, or why it is refused; absent where it is the same. */
  readonly how?: string;
}

export interface ComparedSection {
  readonly title: string;
  readonly options: readonly ComparedOption[];
}

/** Everything of Pacemaker's that a configuration may say by name, and how Systole compares: made from the tables that it is read by. */
export function comparedOptions(): readonly ComparedSection[] {
  const options: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
  return [
    {
      title: 'Cluster options',
      options: options
        .filter(({ name, pacemakers }) => !isOwnOption(name) && pacemakers !== false)
        .map((option) => compared(option, option.alias === undefined ? [] : [option.alias])),
    },
    section('Meta-attributes of resources, and resource defaults', [...RESOURCE_ATTRIBUTES, ...OTHER_RESOURCE_ATTRIBUTES]),
    section('Operations, and operation defaults', [...OPERATION_ATTRIBUTES, ...OTHER_OPERATION_ATTRIBUTES]),
    section('Attributes of nodes', NODE_ATTRIBUTES),
    section('Constraints, sets, rules and fencing levels', CONSTRAINT_ATTRIBUTES),
    section('Parameters of fence devices', FENCE_DEVICE_PARAMETERS),
    section('Parameters of connections to remote nodes (`ocf:pacemaker:remote`)', CONNECTION_PARAMETERS),
    section('Meta-attributes of alerts', ALERT_ATTRIBUTES),
  ];
}

function section(title: string, all: readonly AttributeDescription[]): ComparedSection {
  const newest = all.filter(({ newer, pacemakers }) => newer === undefined && pacemakers !== false);
  return { title, options: newest.map((one) => compared(one, olderNamesOf(one.name, all), one.readOn)) };
}

function compared(one: Conduct & { readonly name: string }, olderNames: readonly string[], on: readonly string[] = []): ComparedOption {
  const how = one.refused ?? one.differs;
  return { name: one.name, olderNames, on, conduct: conductOf(one), ...(how === undefined ? {} : { how }) };
}

const WORDS: Readonly<Record<ConductWord, string>> = { same: 'does the same', differs: 'differs so', refused: 'refused' };

/** The tables of the guide for those who come from Pacemaker, in Markdown. */
export function comparisonTables(): string {
  return comparedOptions()
    .map(({ title, options }) => `### ${title}\n\n${table(options)}\n`)
    .join('\n');
}

/** As the formatter of the documentation has it: columns as wide as what is in them. */
function table(options: readonly ComparedOption[]): string {
  const rows = options.map(({ name, olderNames, on, conduct, how }) => {
    const older = olderNames.length === 0 ? '' : ` (older: ${olderNames.map((of) => `\`${of}\``).join(', ')})`;
    return [
      `\`${name}\`${older}${on.length === 0 ? '' : `, of ${on.join(', ')}`}`,
      `${WORDS[conduct]}${how === undefined ? '' : `: ${how}`}`,
    ] as const;
  });
  const all = [['what', 'in Systole'] as const, ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = all;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}
