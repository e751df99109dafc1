/**
 * `npm run conformance [-- --corpus DIR] [--only NAME] [--diff] [--list] [--check | --record]`: runs corpora of scheduler cases and says how many
 * outputs are identical. Corpora are data under another licence and lie beside the repository, not in it.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CorpusError, findCorpora, type Judgement, openCorpus, OUTPUTS } from './corpus.js';
import { firstDifference } from './first-difference.js';
import { type Counts, falls, type Reached, readReached, writeReached } from './reached.js';
import { accepts, type CaseResult, runCase } from './run-case.js';

// From test/dist/conformance.
const root = fileURLToPath(new URL('../../../', import.meta.url));
const REACHED = `${root}test/conformance/reached.json`;
const BESIDE_REPOSITORY = `${root}../shared/conformance`;

interface Options {
  readonly only: readonly string[];
  readonly diff: boolean;
  readonly list: boolean;
}

function runCorpus(directory: string, options: Options): { name: string; counts: Counts } {
  const corpus = openCorpus(directory);
  const counts = { cases: 0, summary: 0, scores: 0, dot: 0, exp: 0, all: 0 };
  for (const testCase of corpus.cases) {
    if (options.only.length > 0 && !options.only.includes(testCase.name)) continue;
    const result = runCase(corpus, testCase);
    counts.cases++;
    const wrong = new Set(result.differences.map(({ output }) => output));
    for (const output of OUTPUTS) if (!wrong.has(output)) counts[output]++;
    if (wrong.size === 0 && result.problem === undefined) counts.all++;
    else if (options.list || options.diff) describe(result, options.diff);
  }
  const identical = OUTPUTS.map((output) => `${output} ${counts[output]}`).join(', ');
  const judgements = corpus.judgements.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const judged = judgements.filter((judgement) => isJudgedAlike(judgement, options)).length;
  const documents = judgements.length === 0 ? '' : `; documents judged alike: ${judged} of ${judgements.length}`;
  console.log(`${corpus.name}: ${counts.cases} cases; identical: ${identical}; all four ${counts.all}${documents}`);
  if (judgements.length === 0) return { name: corpus.name, counts };
  return { name: corpus.name, counts: { ...counts, documents: judgements.length, judged } };
}

/** Whether the program accepts what is to be accepted, and refuses what is to be refused. */
function isJudgedAlike({ name, file, accepted }: Judgement, { list, diff }: Options): boolean {
  const verdict = accepts(file);
  if (verdict === accepted) return true;
  const words = typeof verdict === 'object' ? `ends with ${verdict.exitCode}` : verdict ? 'is accepted' : 'is refused';
  if (list || diff) console.log(`${name}: ${words} and should be ${accepted ? 'accepted' : 'refused'}`);
  return false;
}

function describe({ name, differences, problem }: CaseResult, diff: boolean): void {
  console.log(`${name}: ${differences.map(({ output }) => output).join(' ')}${problem === undefined ? '' : ` ${problem}`}`);
  if (diff)
    for (const { output, expected, actual } of differences) console.log(`  ${output}, ${firstDifference(expected, actual).trimStart()}`);
}

function main(): number {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      diff: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
  });
  const directories = (values.corpus ?? [BESIDE_REPOSITORY]).flatMap(findCorpora);
  if (directories.length === 0) {
    console.log(
      `conformance: no corpus at ${(values.corpus ?? [BESIDE_REPOSITORY]).join(', ')}; nothing was run (name one with --corpus DIR)`,
    );
    return values.corpus === undefined ? 0 : 1;
  }
  const options = { only: values.only ?? [], diff: values.diff, list: values.list };
  const reached: Record<string, Counts> = {};
  for (const directory of directories) {
    const { name, counts } = runCorpus(directory, options);
    reached[name] = counts;
  }
  const all: Reached = reached;
  if (values.record) writeReached(REACHED, { ...readReached(REACHED), ...all });
  if (values.check) {
    const fallen = falls(readReached(REACHED), all);
    for (const fall of fallen) console.error(fall);
    return fallen.length === 0 ? 0 : 1;
  }
  return 0;
}

try {
  process.exitCode = main();
} catch (error) {
  if (!(error instanceof CorpusError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
