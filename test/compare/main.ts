/**
 * `npm run compare:lab`: runs the scripts of `test/compare/scripts` on Systole and holds what they print and how they end against what a real
 * Pacemaker was recorded to do.
 *
 *   node test/dist/compare/main.js [--lab PROGRAM] [--only NAME]
 *
 * With `--lab` a real Pacemaker is asked (PROGRAM `start 3`, `on NODE CMD…`, `stop`), and what it does is recorded anew.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pacemakerSide, type Side } from './pacemaker-side.js';
import { readScript, readTranscript, transcribed } from './script.js';
import { systoleSide } from './systole-side.js';

const here = fileURLToPath(new URL('../../compare/', import.meta.url));
const { values } = parseArgs({
  options: { lab: { type: 'string' }, only: { type: 'string' }, out: { type: 'string' }, 'lab-only': { type: 'boolean' } },
});
const cib = readFileSync(join(here, 'cluster.cib.xml'), 'utf8');
const names = readdirSync(join(here, 'scripts'))
  .map((file) => basename(file, '.txt'))
  .filter((name) => values.only === undefined || values.only.split(',').includes(name))
  .sort();

async function transcripts(name: string, side: Side): Promise<readonly string[]> {
  const steps = readScript(readFileSync(join(here, 'scripts', `${name}.txt`), 'utf8'));
  const texts: string[] = [];
  for (const { command } of steps) texts.push(transcribed(command, await side.run(command)));
  return texts;
}

async function all(side: Side, done: (name: string, texts: readonly string[]) => void): Promise<void> {
  try {
    for (const name of names) done(name, await transcripts(name, side));
  } finally {
    await side.stop();
  }
}

if (values.lab !== undefined)
  await all(await pacemakerSide(values.lab, cib), (name, texts) => {
    mkdirSync(join(here, 'recorded'), { recursive: true });
    writeFileSync(join(here, 'recorded', `${name}.txt`), `${texts.join('\n')}\n`);
  });
let unexplained = 0;
if (values['lab-only'] !== true)
  await all(await systoleSide(cib), (name, texts) => {
    if (values.out !== undefined) writeFileSync(join(values.out, `${name}.txt`), `${texts.join('\n')}\n`);
    const recorded = join(here, 'recorded', `${name}.txt`);
    const theirs = existsSync(recorded) ? readTranscript(readFileSync(recorded, 'utf8')) : [];
    const steps = readScript(readFileSync(join(here, 'scripts', `${name}.txt`), 'utf8'));
    let same = 0;
    for (const [at, { reason }] of steps.entries()) {
      if (texts[at] === theirs[at]) same += 1;
      else if (reason === undefined) {
        unexplained += 1;
        process.stdout.write(`--- ${name}: Pacemaker\n${theirs[at] ?? 'not recorded'}\n+++ Systole\n${texts[at] ?? ''}\n\n`);
      }
    }
    process.stdout.write(`${name}: ${steps.length} commands, ${same} the same\n`);
  });
process.exitCode = unexplained === 0 ? 0 : 1;
