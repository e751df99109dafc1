import { PROGRAMS } from './programs/programs.js';
import type { Schema } from './read-settings.js';

const INTRODUCTION = `# Settings

<!-- Made by \`npm run settings\` of libs/settings: change it there. -->

What the programs take from their environment, on Debian from \`/etc/systole/server.env\` and \`agent.env\`. One that is not usable ends the program at its start, with what it may be; an empty one counts as unset. What begins with \`SYSTOLE_\` and is in none of these tables is told at the start, with the name that may be meant. OpenTelemetry's are under [traces](traces.md), those of the command line under [cli](cli.md).
`;

/** The page of the guide, as prettier formats it. */
export function settingsPage(): string {
  const parts = Object.entries(PROGRAMS).map(
    ([name, { about, schema }]) => `## ${name.slice(0, 1).toUpperCase()}${name.slice(1)}\n\n${about}\n\n${table(schema)}\n`,
  );
  return [INTRODUCTION, ...parts].join('\n');
}

function table(schema: Schema): string {
  const rows = Object.entries(schema).map(([name, { accepts, meaning, otherwise }]) => [
    `\`${name}\``,
    accepts,
    `${meaning}${otherwise === undefined ? '' : `; ${otherwise}`}`,
  ]);
  const all = [['setting', 'what it may be', 'what it is for; what counts otherwise'], ...rows].map((row) =>
    row.map((cell) => cell.replaceAll('|', '\\|')),
  );
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...others] = all;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others.map(line)].join('\n');
}
