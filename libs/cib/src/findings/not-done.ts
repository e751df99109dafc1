import { CLUSTER_OPTIONS, type ClusterOptionDefinition } from '../options/cluster-option-definitions.js';
import { firstChildNamed, type XmlElement } from '../xml/element.js';

/** Something that a configuration can ask for, that is kept, and that nobody does. */
export interface NotDone {
  /** What it is, in the words of the configuration; a row of the documentation's list. */
  readonly what: string;
  /** What happens instead, or what to do. */
  readonly instead: string;
  /** Where it is asked for; absent where no configuration shows it. */
  readonly asked?: {
    /** Names of the elements that may ask. */
    readonly by: readonly string[];
    /** What in one of them asks: itself, or pairs of it. */
    readonly at: (element: XmlElement) => readonly XmlElement[];
  };
}

/** What is accepted and not done, beside what is refused (whose tables say so themselves). The one list: what is found in a configuration, and the page of the documentation, come from it. */
export const NOT_DONE: readonly NotDone[] = [
  {
    what: 'bundles with a primitive inside',
    instead: 'the containers run; the connections to them are not begun, and nothing is carried out inside of them',
    asked: { by: ['bundle'], at: (element) => (firstChildNamed(element, 'primitive') === undefined ? [] : [element]) },
  },
];

const HEAD = `# Refused, and not there yet

What a configuration of Pacemaker may say and Systole does not do.

This page is made from the tables in \`libs/cib\`; \`npx vitest run --project unit -u libs/cib/src/findings\` writes it anew. All options, those that are done included: [coming from Pacemaker](from-pacemaker.md#option-by-option).
`;

const PARTS = `
## Parts of the configuration

They are kept, for other tools or for the day when the configuration goes back. An import and each other write that brings one in name it, and so does the status (\`systole status\`, \`findings\` in JSON).
`;

const OPTIONS = `
## Cluster options

A write that brings one in, an import included, is refused with its place and what is said here, unless its value asks for no more than what happens anyway, or the write is forced (\`--force\`, \`?force=true\`). What was forced is kept, and the status goes on telling.
`;

/** The page of the documentation, in Markdown. */
export function notDonePage(): string {
  const all: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
  const options = all.flatMap(({ name, alias, refused }) =>
    refused === undefined ? [] : [`- \`${name}\`${alias === undefined ? '' : ` (older: \`${alias}\`)`}: ${refused}.`],
  );
  const others = NOT_DONE.map(({ what, instead }) => `- ${what}: ${instead}.`);
  return `${HEAD}${PARTS}\n${others.join('\n')}\n${OPTIONS}\n${options.join('\n')}\n`;
}
