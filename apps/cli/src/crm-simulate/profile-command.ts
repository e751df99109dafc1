import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@systole/scheduler';
import { effectiveTime, type WriteChunk } from '@systole/simulator';
import { asProgramError } from './as-program-error.js';
import { type CommandLine, UsageError } from './command-line.js';
import { EXIT, type ExitCode, exitMessage, ProgramError } from './exit-codes.js';
import { reasonOf } from './file-errors.js';
import { readInput } from './input.js';
import { formatOf } from './output-format.js';
import { profileReport } from './profile-report.js';

/**
 * Schedules every XML file of a directory and says how long each took. A file that can't be read doesn't keep the others from their turn.
 *
 * @throws {ProgramError} when the directory can't be read.
 * @throws {UsageError} when the number of repetitions is none.
 */
export function profileCommand(options: CommandLine, directory: string, write: WriteChunk): ExitCode {
  const repeat = repeatOf(options);
  const files = xmlFiles(directory);
  const report = profileReport(formatOf(options), options.text, write);
  const errors: string[] = [];
  let exitCode: ExitCode = EXIT.ok;
  for (const file of files) {
    try {
      report.timed({ file, seconds: secondsFor(file, repeat, options.last('set-datetime')) });
    } catch (error) {
      const problem = asProgramError(error);
      exitCode = problem.exitCode;
      errors.push(problem.message);
    }
  }
  report.finish({ exitCode, message: exitMessage(exitCode), errors });
  return exitCode;
}

function repeatOf(options: CommandLine): number {
  const text = options.last('repeat') ?? '1';
  const repeat = Number(text);
  if (Number.isInteger(repeat) && repeat >= 1) return repeat;
  throw new UsageError(`--repeat needs a number of 1 or more, not "${text}"`);
}

function secondsFor(file: string, repeat: number, wanted: string | undefined): number {
  const cib = readInput({ kind: 'file', path: file });
  const { now } = effectiveTime(cib.document, { wanted, clock: Math.floor(Date.now() / 1000) });
  const begin = performance.now();
  for (let i = 0; i < repeat; i++) run(cib, { now, scores: false });
  return (performance.now() - begin) / 1000;
}

function xmlFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.xml') && !name.startsWith('.'))
      .sort()
      .map((name) => join(directory, name));
  } catch (error) {
    throw new ProgramError(EXIT.noInput, `crm_simulate: Could not read the directory ${directory}: ${reasonOf(error)}`);
  }
}
