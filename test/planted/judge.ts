/** What vitest's JSON reporter says, as far as it is needed. */
export interface SuiteReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message?: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

export type Verdict =
  /** Some tests ran, and these failed. */
  | { readonly type: 'found'; readonly by: readonly string[] }
  | { readonly type: 'not-found'; readonly passed: number }
  /** No test was run: that finds nothing, whatever the exit code. */
  | { readonly type: 'not-run'; readonly reason: string };

/** Whether a run of a suite has noticed something. A file that could not even be loaded has tested nothing. */
export function judge(report: SuiteReport): Verdict {
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  if (failed.length > 0) return { type: 'found', by: failed };
  const unloaded = report.testResults.find(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  if (unloaded !== undefined) return { type: 'not-run', reason: unloaded.message ?? 'the suite could not be loaded' };
  if (report.numPassedTests === 0) return { type: 'not-run', reason: 'no test was run' };
  return { type: 'not-found', passed: report.numPassedTests };
}
