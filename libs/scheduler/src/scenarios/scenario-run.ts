import { CibRefused, readCib, type XmlElement } from '@systole/cib';
import { projectRun } from '../project-run.js';
import { run } from '../run.js';
import { outcomeOf } from './scenario-outcome.js';

/** What comes of a scenario's document, in the words of its expectations. */
export function outcomeOfDocument(document: XmlElement, now: number, expected: readonly string[]): string {
  try {
    const result = run(readCib(document), { now });
    const schedule = projectRun(result, { now });
    return expected.map((line) => outcomeOf(line, result, schedule)).join('\n');
  } catch (error) {
    if (error instanceof CibRefused) return `refused ${error.reason}`;
    throw error;
  }
}
