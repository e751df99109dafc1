import { createInterface } from 'node:readline/promises';
import { UsageError } from '../exit-code.js';
import type { Terminal } from '../terminal.js';

/**
 * Asks before something that can't be taken back. @param yes the person has said so on the command line
 * @throws {UsageError} when the answer is no, or nobody is there to be asked
 */
export async function confirm(terminal: Terminal, question: string, yes: boolean | undefined): Promise<void> {
  if (yes === true) return;
  if (!('isTTY' in terminal.stdin) || !terminal.stdin.isTTY) throw new UsageError(`${question} Give --yes to say so.`);
  const prompt = createInterface({ input: terminal.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${question} Type yes to go on: `, { signal: terminal.interrupted });
    if (answer.trim().toLowerCase() !== 'yes') throw new UsageError('nothing was done');
  } finally {
    prompt.close();
  }
}
