/**
 * `npm run fuzz [-- --runs N --seed S --corpus DIR --save DIR]`: mutates cases of the corpora, or the repository's own scenarios where there are
 * none, and looks for inputs that break the law of law.ts. What breaks it is saved, as small as it could be made. Exits with 1 when something was found.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Find, runCampaign, type Tally } from './campaign.js';
import type { FuzzInput } from './input.js';
import { Judge } from './judge.js';
import { LIMITS } from './limits.js';
import { minimise } from './minimise.js';
import { findSamples, repositoryRoot } from './samples.js';

const root = repositoryRoot(import.meta.url);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '10000' },
      seed: { type: 'string', default: String(Date.now() % 2_147_483_647) },
      corpus: { type: 'string', multiple: true, default: [`${root}../shared/conformance`] },
      save: { type: 'string', default: join(tmpdir(), 'systole-fuzz') },
    },
  });
  const [runs, seed] = [Number(values.runs), Number(values.seed)];
  if (!Number.isInteger(runs) || !Number.isInteger(seed)) throw new Error('--runs and --seed take whole numbers');
  const samples = findSamples(values.corpus, root);
  console.log(`fuzz: ${runs} runs, seed ${seed}, ${samples.source}`);
  const judge = new Judge(fileURLToPath(new URL('./judge-process.js', import.meta.url)), LIMITS);
  let saved = 0;
  const save = (what: string, input: FuzzInput): string => {
    mkdirSync(values.save, { recursive: true });
    const file = join(values.save, `${seed}-${saved++}-${what}`);
    writeFileSync(`${file}.xml`, input.text);
    writeFileSync(`${file}.json`, JSON.stringify(input));
    return `${file}.xml`;
  };
  const begin = Date.now();
  let told = begin;
  const found: Find[] = [];
  const { tally } = await runCampaign({
    samples: samples.list,
    judge,
    runs,
    seed,
    onRun: (seen) => {
      if (Date.now() - told < 30_000) return;
      told = Date.now();
      console.log(progressLine(seen, begin));
    },
    onBreach: (breach, input) => {
      console.log(`breach: ${breach.signature}; saved, and now made smaller: ${save('breach', input)}\n${breach.detail.slice(0, 1500)}`);
    },
    onFind: (find) => {
      found.push(find);
      console.log(`found: ${find.breach.signature} (seed ${find.seed}, path ${find.path}): ${save('find', find.input)}`);
    },
  });
  for (const [index, find] of found.entries()) {
    const { signature } = find.breach;
    const input = await minimise(find.input, async (smaller) => {
      const { verdict } = await judge.judge(smaller);
      return verdict.kind === 'breach' && verdict.breach.signature === signature;
    });
    console.log(`minimal: ${signature} (${find.breach.what}): ${save(`minimal-${index}`, input)}`);
  }
  judge.close();
  console.log(progressLine(tally, begin));
  console.log(`digest of all verdicts: ${tally.digest()}`);
  return found.length === 0 ? 0 : 1;
}

function progressLine({ runs, results, lenient, refused, breaches, cpuMs, slowest }: Tally, begin: number): string {
  const seconds = (Date.now() - begin) / 1000;
  const counts = (of: ReadonlyMap<string, number>): string =>
    [...of]
      .sort(([, a], [, b]) => b - a)
      .map(([name, number]) => `${name} ${number}`)
      .join(', ');
  return [
    `${runs} runs in ${Math.round(seconds)} s (${(runs / seconds).toFixed(1)}/s, ${(cpuMs / Math.max(runs, 1)).toFixed(0)} ms of processor time each)`,
    `results ${results} (${lenient} of what strict reading refuses)`,
    `refused: ${counts(refused) || 'none'}`,
    `slowest ${Math.round(slowest?.cpuMs ?? 0)} ms for ${slowest?.kilobytes ?? 0} kB`,
    `found: ${counts(breaches) || 'nothing'}`,
  ].join('; ');
}

process.exitCode = await main();
