import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@systole/scheduler';
import { effectiveTime, type WriteChunk } from '@systole/simulator';
import { type CommandLine, UsageError } from './command-line.js';
import { EXIT, type ExitCode, ProgramError } from './exit-codes.js';
import { readInput, reasonOf } from './input.js';

/** Schedules every XML file of a directory and says how long each took, in seconds per run. */
export function profileCommand(options: CommandLine, directory: string, write: WriteChunk): ExitCode {
  const repeat = Number(options.last('repeat') ?? 1);
  if (!Number.isInteger(repeat) || repeat < 1) throw new UsageError('--repeat needs a number of 1 or more');
  write({ stream: 'stdout', text: 'Timings:\n' });
  for (const file of xmlFiles(directory)) {
    const cib = readInput(file);
    const { now } = effectiveTime(cib.document, { wanted: options.last('set-datetime'), clock: Math.floor(Date.now() / 1000) });
    const begin = performance.now();
    for (let i = 0; i < repeat; i++) run(cib, { now, scores: false });
    const seconds = (performance.now() - begin) / 1000 / repeat;
    write({ stream: 'stdout', text: `  * Testing ${file} ... ${seconds.toFixed(2)} secs\n` });
  }
  return EXIT.ok;
}

function xmlFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.xml'))
      .sort()
      .map((name) => join(directory, name));
  } catch (error) {
    throw new ProgramError(EXIT.data, `crm_simulate: Could not read ${directory}: ${reasonOf(error)}`);
  }
}
