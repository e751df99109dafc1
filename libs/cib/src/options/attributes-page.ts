import {
  NODE_ATTRIBUTES,
  olderNamesOf,
  OPERATION_ATTRIBUTES,
  OTHER_OPERATION_ATTRIBUTES,
  OTHER_RESOURCE_ATTRIBUTES,
  RESOURCE_ATTRIBUTES,
  type AttributeDefinition,
  type AttributeDescription,
} from './attribute-definitions.js';
import { ALERT_ATTRIBUTES } from '../alerts/alert-definitions.js';
import { conductSentence } from './conduct.js';
import { CONSTRAINT_ATTRIBUTES } from './constraint-definitions.js';
import { CONNECTION_PARAMETERS } from './connection-definitions.js';
import { FENCE_DEVICE_PARAMETERS } from './fence-device-definitions.js';
import { acceptedForms } from './option-type.js';

const HEAD = `# Attributes of resources, operations, nodes, fence devices, connections, constraints and alerts

What the cluster itself reads; other names may stand beside them. The api serves the same tables, but for that of connections, under \`/v1/metadata\`.
A text that would cost the service or its data is refused by every write; others that can't be read, and names that are most likely mistyped, unless they are forced (\`?force=true\`, [configuration](configuration.md#what-is-checked)).
The status tells of those that are there, with what counts meanwhile.

This page is made from the tables in \`libs/cib\`; \`npx vitest run --project unit -u libs/cib/src/options\` writes it anew.
`;

/** The reference page of all attributes, in Markdown. */
export function attributesPage(): string {
  const resources = [...RESOURCE_ATTRIBUTES, ...OTHER_RESOURCE_ATTRIBUTES];
  const operations = [...OPERATION_ATTRIBUTES, ...OTHER_OPERATION_ATTRIBUTES];
  const sections = [
    section('Meta-attributes of resources', resources),
    section('Operations', operations),
    section('Attributes of nodes', NODE_ATTRIBUTES),
    section('Parameters of fence devices', FENCE_DEVICE_PARAMETERS),
    section('Parameters of connections to remote nodes (`ocf:pacemaker:remote`)', CONNECTION_PARAMETERS),
    section('Constraints, sets, rules and fencing levels', CONSTRAINT_ATTRIBUTES),
    section('Meta-attributes of alerts', ALERT_ATTRIBUTES),
  ];
  return `${HEAD}\n${sections.join('\n')}`;
}

function section(title: string, all: readonly Described[]): string {
  const entries = all.filter(({ newer }) => newer === undefined).map((one) => entryOf(one, olderNamesOf(one.name, all)));
  return `## ${title}\n\n${entries.join('\n')}\n`;
}

type Described = AttributeDescription | AttributeDefinition;

function entryOf(one: Described, older: readonly string[]): string {
  const { name, type, default: fallback, readOn, meaning } = one;
  const names = older.length === 0 ? '' : ` (older: ${older.map((of) => `\`${of}\``).join(', ')})`;
  const on = readOn === undefined ? '' : `, of a ${readOn.join(' or ')}`;
  const otherwise = fallback === undefined ? 'no default' : `default \`${fallback}\``;
  const unreadable = 'meanwhile' in one ? ` Where it can't be read, ${one.harmful ? 'the document is refused' : one.meanwhile}.` : '';
  return `- **\`${name}\`**${names}${on}: ${acceptedForms(type)}; ${otherwise}. ${meaning}${conductSentence(one)}${unreadable}`;
}
