/**
 * Writes the manual page man/systole.1 and the table of exit codes in docs/guide/cli.md from the definitions of the commands; with --check it changes nothing and fails
 * when one of them is stale. Needs the compiled command line.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { EXIT_CODES } from './dist/exit-code.js';
import { createProgram } from './dist/program.js';
import { commandTree } from './dist/shell/command-tree.js';
import { manualPage } from './dist/shell/manual-page.js';

const MANUAL = fileURLToPath(new URL('man/systole.1', import.meta.url));
const GUIDE = fileURLToPath(new URL('../../docs/guide/cli.md', import.meta.url));
const [BEGIN, END] = ['<!-- exit codes: made by `npm run manual` -->', '<!-- end of exit codes -->'];

const nothing = () => undefined;
const program = createProgram({ terminal: { write: nothing, complain: nothing }, end: nothing });

/** As prettier formats a table. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(rows[0]), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.slice(1).map(line)].join('\n');
}

const guide = await readFile(GUIDE, 'utf8');
const [before, rest] = [guide.slice(0, guide.indexOf(BEGIN)), guide.slice(guide.indexOf(END))];
const codes = table([['exit code', 'meaning'], ...EXIT_CODES.map(({ code, meaning }) => [String(code), meaning])]);
const files = [
  { path: MANUAL, content: manualPage(commandTree(program)) },
  { path: GUIDE, content: `${before}${BEGIN}\n\n${codes}\n\n${rest}` },
];

const check = process.argv.includes('--check');
let stale = false;
for (const { path, content } of files) {
  const present = await readFile(path, 'utf8').catch(() => '');
  if (present === content) continue;
  if (check) {
    stale = true;
    process.stderr.write(`${path} is stale: run \`npm run manual\` and commit what it changes\n`);
  } else {
    await mkdir(fileURLToPath(new URL('man', import.meta.url)), { recursive: true });
    await writeFile(path, content);
    process.stdout.write(`wrote ${path}\n`);
  }
}
process.exit(stale ? 1 : 0);
