import type { WriteChunk } from '@systole/simulator';
import { asProgramError } from './as-program-error.js';
import { CommandLine, UsageError } from './command-line.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { HELP, helpText } from './options.js';
import { KeptReport } from './output.js';
import { profileCommand } from './profile-command.js';
import { simulateCommand } from './simulate-command.js';

const VERSION = 'Systole 0.1.0, in place of Pacemaker 3.0\n';

function run(args: readonly string[], environment: NodeJS.ProcessEnv, write: WriteChunk): ExitCode {
  const options = new CommandLine(args);
  const information = informationOf(options);
  if (information !== undefined) {
    write({ stream: 'stdout', text: information });
    return EXIT.ok;
  }
  for (const argument of options.ignored) warn(write, `ignoring "${argument}": a file is named with --xml-file`);
  const destination = options.last('output-to') ?? '-';
  if (destination === '-') return runCommand(options, environment, write);
  const report = new KeptReport();
  const exitCode = runCommand(options, environment, (chunk) => {
    if (chunk.stream === 'stdout') report.add(chunk.text);
    else write(chunk);
  });
  report.save(destination);
  return exitCode;
}

function informationOf(options: CommandLine): string | undefined {
  if (options.has('version')) return VERSION;
  for (const [name, group] of entriesOf(HELP)) if (options.has(name)) return helpText(group);
  return undefined;
}

const entriesOf = Object.entries as <Key extends string, Value>(record: Readonly<Record<Key, Value>>) => [Key, Value][];

function runCommand(options: CommandLine, environment: NodeJS.ProcessEnv, write: WriteChunk): ExitCode {
  const directory = options.last('profile');
  return directory === undefined ? simulateCommand(options, environment, write) : profileCommand(options, directory, write);
}

function warn(write: WriteChunk, text: string): void {
  write({ stream: 'stderr', text: `crm_simulate: ${text}\n` });
}

/**
 * The whole program, but for its process: runs what the command line asks and answers with the exit code; errors are written, not thrown.
 *
 * @param environment as `sourceOf` reads it.
 */
export function runProgram(args: readonly string[], environment: NodeJS.ProcessEnv, write: WriteChunk): ExitCode {
  try {
    return run(args, environment, write);
  } catch (error) {
    return failed(error, write);
  }
}

/** Tells what ended the program, and with which code it ends. */
function failed(error: unknown, write: WriteChunk): ExitCode {
  if (error instanceof UsageError) {
    warn(write, `${error.message} (--help lists the options)`);
    return EXIT.usage;
  }
  try {
    const { message, exitCode } = asProgramError(error);
    write({ stream: 'stderr', text: `${message}\n` });
    return exitCode;
  } catch {
    warn(write, `this is a defect, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return EXIT.software;
  }
}
