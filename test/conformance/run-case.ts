import { readCib } from '@systole/cib';
import {
  effectiveTime,
  renderDot,
  renderGraph,
  type ReportOptions,
  runSimulation,
  TextReport,
  validationNotice,
  type WriteChunk,
} from '@systole/simulator';
import { type Case, type Corpus, type Output, OUTPUTS, readCaseFile } from './corpus.js';
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
  /** An error that ended the case, or unexpected text on standard error. */
  readonly problem?: string;
}

const plain: ReportOptions = { scores: false, utilization: false, quiet: false };

/** Runs a case as the reference's own test runner would, in this process, and compares (specification 08 §1). */
export function runCase(corpus: Corpus, testCase: Case): CaseResult {
  const actual: Record<Output, string> = { summary: '', scores: '', dot: '', exp: '' };
  let stderr = '';
  let problem: string | undefined;
  try {
    const cib = readCib(readCaseFile(corpus, testCase, 'xml'), { strict: true });
    const clock = Math.floor(Date.now() / 1000);
    const time = effectiveTime(cib.document, { wanted: wantedTime(testCase.args), clock });
    const both: WriteChunk = ({ text }) => {
      actual.summary += text;
    };
    const apart: WriteChunk = ({ stream, text }) => {
      if (stream === 'stdout') actual.scores += text;
      else stderr += text;
    };
    const notice = validationNotice(cib.document);
    if (notice !== undefined) for (const write of [both, apart]) write({ stream: 'stderr', text: `${notice}\n` });
    const summary = new TextReport(plain, time.notice, both);
    const scores = new TextReport({ ...plain, scores: true, quiet: true }, time.notice, apart);
    runSimulation(
      cib,
      { depth: 'execute', now: time.now, clock },
      {
        current: (cluster) => {
          summary.current(cluster);
        },
        planned: (run) => {
          scores.scored(run);
          actual.dot = renderDot(run);
          actual.exp = renderGraph(run.graph);
          summary.planned(run);
        },
        executing: () => {
          for (const report of [summary, scores]) report.executing();
        },
        executed: (event) => {
          summary.executed(event);
        },
        revised: (cluster, end) => {
          for (const report of [summary, scores]) report.revised(cluster, end);
        },
      },
    );
    if (stderr.trim() !== readCaseFile(corpus, testCase, 'stderr').trim())
      problem = `unexpected text on standard error: ${stderr.slice(0, 120)}`;
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
function wantedTime(args: readonly string[]): string | undefined {
  if (args.length === 0) return undefined;
  const [option, value] = args;
  if (option !== '-t' || value === undefined || args.length > 2) throw new Error(`arguments ${args.join(' ')}: only -t TIME is known here`);
  return value;
}
