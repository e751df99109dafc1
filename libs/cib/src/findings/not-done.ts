import { inertOption, isClusterOption } from '../options/option-mistake.js';
import { CLUSTER_OPTIONS, type ClusterOptionDefinition } from '../options/cluster-option-definitions.js';
import type { XmlElement } from '../xml/element.js';

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

const always = (element: XmlElement): readonly XmlElement[] => [element];

/** What is accepted and not done, beside cluster options (whose table says so itself). The one list: what is found in a configuration, and the page of the documentation, come from it. */
export const NOT_DONE: readonly NotDone[] = [
  {
    what: '`acl_role`, `acl_target`, `acl_group` (ACLs)',
    instead: 'they are kept and not enforced: who may do what is said by tokens and their roles',
    asked: { by: ['acl_target', 'acl_group'], at: always },
  },
];

/** What a cluster option asks for that nobody does; undefined where it is done. */
export function notDoneOption(name: string, value: string): string | undefined {
  return isClusterOption(name) ? inertOption(name, value) : undefined;
}

const HEAD = `# Accepted, and not done

What a configuration may say and Systole keeps, for other tools or for the day when the configuration goes back, but does not do. An import and each other write that brings it in name it, and so does the
status (\`systole status\`, \`findings\` in JSON), where the configuration shows it and asks for more than what happens anyway.

This page is made from the tables in \`libs/cib\`; \`npx vitest run --project unit -u libs/cib/src/findings\` writes it anew.
`;

/** The page of the documentation, in Markdown. */
export function notDonePage(): string {
  const all: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
  const options = all.flatMap(({ name, alias, inert }) =>
    inert === undefined ? [] : [`- \`${name}\`${alias === undefined ? '' : ` (older: \`${alias}\`)`}: ${inert}.`],
  );
  const others = NOT_DONE.map(({ what, instead }) => `- ${what}: ${instead}.`);
  return `${HEAD}\n## Parts of the configuration\n\n${others.join('\n')}\n\n## Cluster options\n\n${options.join('\n')}\n`;
}
