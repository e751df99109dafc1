/**
 * `npm run compare:lab`: runs the scripts of `test/compare/scripts` on Systole and holds what they print and how they end against what a real
 * Pacemaker was recorded to do.
 *
 *   node test/dist/compare/main.js [--lab PROGRAM] [--only NAME]
 *
 * With `--page FILE` the page of the guide is written. With `--lab` a real Pacemaker is asked (PROGRAM `start 3`, `on NODE CMD…`, `stop`), and what it does is recorded anew.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pacemakerSide, type Side } from './pacemaker-side.js';
import { explanation, idleReasons } from './reasons.js';
import { readScript, readTranscript, transcribed } from './script.js';
import { systoleSide } from './systole-side.js';

const here = fileURLToPath(new URL('../../compare/', import.meta.url));
const { values } = parseArgs({
  options: {
    lab: { type: 'string' },
    only: { type: 'string' },
    out: { type: 'string' },
    'lab-only': { type: 'boolean' },
    page: { type: 'string' },
  },
});
const cib = readFileSync(join(here, 'cluster.cib.xml'), 'utf8');
const names = readdirSync(join(here, 'scripts'))
  .map((file) => basename(file, '.txt'))
  .filter((name) => values.only === undefined || values.only.split(',').includes(name))
  .sort();

/** Where scripts find the programs beside them, and may write: the same for both sides, whose alert agents run under other accounts. */
const scratch = mkdtempSync(join(tmpdir(), 'systole-compare-'));
chmodSync(scratch, 0o777);
const places = { COMPARE: here.replace(/\/$/, ''), SCRATCH: scratch };

function unplaced(text: string): string {
  return text.replaceAll(places.SCRATCH, '$SCRATCH').replaceAll(places.COMPARE, '$COMPARE');
}

async function transcripts(name: string, side: Side): Promise<readonly string[]> {
  const steps = readScript(readFileSync(join(here, 'scripts', `${name}.txt`), 'utf8'));
  const texts: string[] = [];
  for (const { command } of steps) texts.push(unplaced(transcribed(command, await side.run(command))));
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
  await all(await pacemakerSide(values.lab, cib, places), (name, texts) => {
    mkdirSync(join(here, 'recorded'), { recursive: true });
    writeFileSync(join(here, 'recorded', `${name}.txt`), `${texts.join('\n')}\n`);
  });
interface Judged {
  readonly script: string;
  readonly same: number;
  readonly words: number;
  readonly differing: readonly {
    readonly command: string;
    readonly reason: string | undefined;
    readonly theirs: string;
    readonly ours: string;
  }[];
}

/** What people see but for words on standard error, and how it ended. */
function essence(transcript: string): string {
  return transcript.replace(/^! .*\n/gm, '');
}

function judged(script: string, ours: readonly string[]): Judged {
  const recorded = join(here, 'recorded', `${script}.txt`);
  const theirs = existsSync(recorded) ? readTranscript(readFileSync(recorded, 'utf8')) : [];
  const steps = readScript(readFileSync(join(here, 'scripts', `${script}.txt`), 'utf8')).map(({ command }, at) => ({
    command,
    theirs: theirs[at] ?? 'not recorded',
    ours: ours[at] ?? 'not run',
  }));
  const others = steps.filter((step) => step.ours !== step.theirs);
  const differing = others
    .filter((step) => essence(step.ours) !== essence(step.theirs))
    .map((step) => ({ ...step, reason: explanation(step.command, essence(step.theirs), essence(step.ours)) }));
  return { script, same: steps.length - others.length, words: others.length - differing.length, differing };
}

/** The page of the guide. */
function page(results: readonly Judged[]): string {
  const rows = results.map(
    ({ script, same, words, differing }) =>
      `| ${script.replace(/^\d+-/, '').replaceAll('-', ' ')} | ${same} | ${words} | ${differing.length} |`,
  );
  const all = results.flatMap(({ differing }) => differing);
  const reasons = [...new Set(all.map(({ reason }) => reason ?? 'No reason: to be mended.'))];
  const listed = reasons.map((reason) => {
    const commands = all
      .filter((one) => (one.reason ?? 'No reason: to be mended.') === reason)
      .map(({ command }) => `\`${command.length > 90 ? `${command.slice(0, 90)}…` : command}\``);
    return `- ${reason}\n${[...new Set(commands)].map((command) => `  - ${command}`).join('\n')}`;
  });
  return `# Where the tools differ from Pacemaker's\n\nThe same commands, run on a cluster of Pacemaker 2.1.5 and on Systole with the same configuration (\`npm run compare:lab\`; the commands are in \`test/compare/scripts\`, what Pacemaker did in \`test/compare/recorded\`). "In words": the same output and exit code, other words on standard error.\n\n| commands | the same | in words | otherwise |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n\n## What is otherwise, and why\n\n${listed.join('\n')}\n`;
}

if (values['lab-only'] !== true) {
  const results: Judged[] = [];
  await all(await systoleSide(cib, places), (name, texts) => {
    if (values.out !== undefined) writeFileSync(join(values.out, `${name}.txt`), `${texts.join('\n')}\n`);
    results.push(judged(name, texts));
  });
  for (const { script, same, words, differing } of results) {
    for (const { reason, theirs, ours } of differing)
      if (reason === undefined) process.stdout.write(`--- ${script}: Pacemaker\n${theirs}\n+++ Systole\n${ours}\n\n`);
    process.stdout.write(`${script}: ${same} the same, ${words} in other words, ${differing.length} otherwise\n`);
  }
  if (values.only === undefined)
    for (const command of idleReasons(new Set(results.flatMap(({ differing }) => differing.map((one) => one.command)))))
      process.stdout.write(`there is a reason for what is the same: ${command}\n`);
  if (values.page !== undefined) writeFileSync(values.page, page(results));
  process.exitCode = results.every(({ differing }) => differing.every(({ reason }) => reason !== undefined)) ? 0 : 1;
}
rmSync(scratch, { recursive: true, force: true });
