import type { FuzzInput } from './input.js';
import { judge, type Verdict } from './law.js';

/** What the process answers for each input. */
export interface Judged {
  readonly verdict: Verdict;
  /** Processor time that it took, in ms. */
  readonly cpuMs: number;
}

process.on('message', (input: FuzzInput) => {
  const begin = process.cpuUsage();
  const verdict = judge(input);
  const { user, system } = process.cpuUsage(begin);
  const judged: Judged = { verdict, cpuMs: (user + system) / 1000 };
  process.send?.(judged);
});
