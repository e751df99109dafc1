import { CLUSTER_OPTIONS } from './cluster-option-definitions.js';
import type { ClusterOptionDefinition } from './cluster-option-definitions.js';
import { conductSentence } from './conduct.js';
import { isOwnOption } from './option-mistake.js';
import { acceptedForms } from './option-type.js';

const HEAD = `# Cluster options

Pairs in the \`cluster_property_set\`s of \`crm_config\`. Several sets may give the same option: the set \`cib-bootstrap-options\` goes first, then the one
with the higher score, then the one that stands later; a set with a rule counts while that passes. The scheduler, fencing, leases, quorum, the status and the tools
that agents call all read them so.

This page is made from the table of options in \`libs/cib\`; \`npx vitest run --project unit -u libs/cib/src/options\` writes it anew.
`;

const OWN = `
## Systole's own

A wrong value, or a name of this kind that is none, is refused by every write, with the place and the accepted forms.
`;

const PACEMAKERS = `
## Pacemaker's

They mean what they mean in Pacemaker. What would be a wrong value or a name that nobody knows is refused unless it is forced (\`?force=true\`, [configuration](configuration.md#what-is-checked)).
A wrong value counts as the default, a name that nobody knows has no effect, and of a number that goes on after its digits the digits count, as there (\`1e3\` and \`1.5\` are 1): the status tells.
The older name counts where the newer one is not given.
`;

/** The reference page of all options, in Markdown. */
export function optionsPage(): string {
  const all: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
  const entries = (own: boolean): string =>
    all
      .filter(({ name }) => isOwnOption(name) === own)
      .map(entryOf)
      .join('\n');
  return `${HEAD}${OWN}\n${entries(true)}\n${PACEMAKERS}\n${entries(false)}\n`;
}

function entryOf(option: ClusterOptionDefinition): string {
  const { name, alias, type, default: fallback, meaning } = option;
  const older = alias === undefined ? '' : ` (older: \`${alias}\`)`;
  const otherwise = fallback === undefined ? 'no default' : `default \`${fallback}\``;
  return `- **\`${name}\`**${older}: ${acceptedForms(type)}; ${otherwise}. ${meaning}${conductSentence(option)}`;
}
