import { CLUSTER_OPTIONS, type ClusterOptionDefinition } from '../options/cluster-option-definitions.js';

const HEAD = `# Refused options

What a configuration of Pacemaker may say and Systole does not do.

A write that brings one in, an import included, is refused with its place and what is said here, unless its value asks for no more than what happens anyway, or the write is forced (\`--force\`, \`?force=true\`). What was forced is kept, and the status goes on telling
(\`systole status\`, \`findings\` in JSON).

This page is made from the tables in \`libs/cib\`; \`npx vitest run --project unit -u libs/cib/src/findings\` writes it anew. All options, those that are done included: [coming from Pacemaker](from-pacemaker.md#option-by-option).
`;

/** The page of the documentation, in Markdown. */
export function notDonePage(): string {
  const all: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
  const options = all.flatMap(({ name, alias, refused }) =>
    refused === undefined ? [] : [`- \`${name}\`${alias === undefined ? '' : ` (older: \`${alias}\`)`}: ${refused}.`],
  );
  return `${HEAD}\n${options.join('\n')}\n`;
}
