import { readCib } from '@systole/cib';
import { type Case, type Corpus, type Output, OUTPUTS, readCaseFile } from './corpus.js';
import { normalise } from './normalise.js';
import { computeOutputs, type Outputs } from './outputs.js';

/** An output that isn't what it should be. */
export interface Difference {
  readonly output: Output;
  readonly expected: string;
  readonly actual: string;
}

export interface CaseResult {
  readonly name: string;
  readonly differences: readonly Difference[];
  /** An error that ended the case, or unexpected text on standard error. */
  readonly problem?: string;
}

/** Runs a case as the reference's own test runner would, in this process, and compares (specification 08 §1). */
export function runCase(corpus: Corpus, testCase: Case): CaseResult {
  let actual: Outputs = { summary: '', scores: '', dot: '', exp: '', stderr: '' };
  let problem: string | undefined;
  try {
    const cib = readCib(readCaseFile(corpus, testCase, 'xml'), { strict: true });
    actual = computeOutputs(cib, { time: wantedTime(testCase.args), clock: Math.floor(Date.now() / 1000) });
    if (actual.stderr.trim() !== readCaseFile(corpus, testCase, 'stderr').trim())
      problem = `unexpected text on standard error: ${actual.stderr.slice(0, 120)}`;
  } catch (error) {
    problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const differences = OUTPUTS.flatMap((output) => {
    const wanted = normalise(output, readCaseFile(corpus, testCase, output));
    const got = normalise(output, actual[output]);
    return wanted === got ? [] : [{ output, expected: wanted, actual: got }];
  });
  return { name: testCase.name, differences, ...(problem === undefined ? {} : { problem }) };
}

/** The only extra argument that cases have. */
export function wantedTime(args: readonly string[]): string | undefined {
  if (args.length === 0) return undefined;
  const [option, value] = args;
  if (option !== '-t' || value === undefined || args.length > 2) throw new Error(`arguments ${args.join(' ')}: only -t TIME is known here`);
  return value;
}
