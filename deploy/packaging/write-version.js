// Writes the root's version to where else it has to stand. `npm version <version>` runs it; with --check it changes nothing and names what has another one (exit code 1).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { CHECKOUT, VERSION } from './version.js';

const NUMBER = String.raw`\d+\.\d+\.\d+(?:-[\w.]+)?`;
/** What programs say of themselves: they are compiled, and some of it may read no files. */
const SOURCES = [
  ['apps/agent/src/agent.ts', `(AGENT_VERSION = ')${NUMBER}(')`],
  ['apps/api/src/version.ts', `(SERVER_VERSION = ')${NUMBER}(')`],
  ['apps/cli/src/version.ts', `(PROGRAM_VERSION = ')${NUMBER}(')`],
  ['apps/cli/src/crm-simulate/run-program.ts', `(VERSION = 'Systole )${NUMBER}(,)`],
  ['libs/scheduler/src/scheduler-version.ts', `(SCHEDULER_VERSION = 'systole/)${NUMBER}(\\+)`],
];

const read = (file) => readFileSync(join(CHECKOUT, file), 'utf8');

/** What a file should hold, by its name. @throws {Error} when a source does not name its version as it is looked for */
function* intended() {
  for (const [file, pattern] of SOURCES) {
    const text = read(file);
    if (!new RegExp(pattern).test(text))
      throw new Error(`${file} names no version any more: see SOURCES in deploy/packaging/write-version.js`);
    yield [file, text.replace(new RegExp(pattern), `$1${VERSION}$2`)];
  }
  const lock = JSON.parse(read('package-lock.json'));
  lock.version = VERSION;
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (place.includes('node_modules/')) continue;
    entry.version = VERSION;
    if (place !== '') yield [`${place}/package.json`, json({ ...JSON.parse(read(`${place}/package.json`)), version: VERSION })];
  }
  yield ['package-lock.json', json(lock)];
}

const json = (value) => `${JSON.stringify(value, undefined, 2)}\n`;

const others = [...intended()].filter(([file, text]) => read(file) !== text);
if (process.argv.includes('--check')) {
  for (const [file] of others) process.stdout.write(`${file} is not of version ${VERSION}: run node deploy/packaging/write-version.js\n`);
  process.exit(others.length === 0 ? 0 : 1);
}
for (const [file, text] of others) writeFileSync(join(CHECKOUT, file), text);
