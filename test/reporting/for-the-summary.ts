import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Writes into the file that `TEST_SUMMARY` names, for the end of CI's output, what would only be seen somewhere in its middle: which tests passed only when they were tried again, and errors
 * that belong to no test, for which a run fails though all of its tests passed.
 */
export default class ForTheSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env['TEST_SUMMARY'];
    if (file === undefined) return;
    for (const module of modules) {
      for (const test of module.children.allTests('passed')) {
        const failures = test.diagnostic()?.retryCount ?? 0;
        if (failures > 0) appendFileSync(file, `passed when tried again: ${relative(process.cwd(), module.moduleId)}: ${test.fullName}\n`);
      }
    }
    for (const error of errors) {
      const { name = 'Error', message, stack = '', VITEST_TEST_NAME: test = '', VITEST_TEST_PATH: path = '' } = error as FoundError;
      appendFileSync(file, `of no test: ${name}: ${message}\n    while: ${path} ${test}\n${stack.split('\n').slice(0, 12).join('\n')}\n`);
    }
  }
}

/** What Vitest adds to an error that nobody handled. */
type FoundError = SerializedError & { readonly VITEST_TEST_NAME?: string; readonly VITEST_TEST_PATH?: string };
