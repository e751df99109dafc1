import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@systole/cli/crm-simulate';
import { type Case, caseFile, type Corpus, type Output, OUTPUTS, readCaseFile } from './corpus.js';
import { normalise } from './normalise.js';

/** An output that isn't what it should be. */
export interface Difference {
  readonly output: Output;
  readonly expected: string;
  readonly actual: string;
}

export interface CaseResult {
  readonly name: string;
  readonly differences: readonly Difference[];
  /** An exit code other than 0, or unexpected text on standard error. */
  readonly problem?: string;
}

/** What one run of the program left: its exit code, and what it wrote. */
interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both in their common order. */
  readonly merged: string;
}

/**
 * Runs a case as the reference's own test runner does, only in this process, and compares (specification 08 §1): once for the summary, in which
 * standard error counts, and once for scores, drawing and graph, where exit code and standard error are judged apart.
 */
export function runCase(corpus: Corpus, testCase: Case): CaseResult {
  const scratch = mkdtempSync(join(tmpdir(), 'conformance-case-'));
  try {
    const files = { dot: join(scratch, 'dot'), exp: join(scratch, 'exp') };
    const input = ['-x', caseFile(corpus, testCase, 'xml')];
    const environment = { CIB_shadow_dir: scratch };
    const summary = end([...input, '-S', ...testCase.args], environment);
    const saved = end([...input, '-D', files.dot, '-G', files.exp, '-sSQ', ...testCase.args], environment);
    const actual = { summary: summary.merged, scores: saved.stdout, dot: textOf(files.dot), exp: textOf(files.exp) };
    const differences = OUTPUTS.flatMap((output) => {
      const wanted = normalise(output, readCaseFile(corpus, testCase, output));
      const got = normalise(output, actual[output]);
      return wanted === got ? [] : [{ output, expected: wanted, actual: got }];
    });
    const problem = problemOf(saved, readCaseFile(corpus, testCase, 'stderr'));
    return { name: testCase.name, differences, ...(problem === '' ? {} : { problem }) };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Whether the program takes a document: it ends with 0, or with 78 when it doesn't. */
export function accepts(file: string): boolean | { readonly exitCode: number } {
  const { exitCode } = end(['-x', file], {});
  if (exitCode === 0 || exitCode === 78) return exitCode === 0;
  return { exitCode };
}

function end(args: readonly string[], environment: NodeJS.ProcessEnv): Ended {
  const written = { stdout: '', stderr: '' };
  let merged = '';
  const exitCode = runProgram(args, environment, ({ stream, text }) => {
    written[stream] += text;
    merged += text;
  });
  return { exitCode, merged, ...written };
}

function problemOf({ exitCode, stderr }: Ended, expected: string): string {
  const exit = exitCode === 0 ? '' : `exit ${exitCode}`;
  return stderr.trim() === expected.trim() ? exit : `${exit} unexpected stderr: ${stderr.slice(0, 120)}`.trim();
}

/** Empty when the program didn't get as far as to write it. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
