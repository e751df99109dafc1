import { LongText } from '@systole/cib';
import type { WriteChunk } from '@systole/simulator';
import { asProgramError } from './as-program-error.js';
import { CommandLine, UsageError } from './command-line.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { HELP, helpText } from './options.js';
import { saveFile, StandardStreams } from './output.js';
import { profileCommand } from './profile-command.js';
import { simulateCommand } from './simulate-command.js';

const VERSION = 'Systole 0.1.0, in place of Pacemaker 3.0\n';

const streams = new StandardStreams();

function run(args: readonly string[]): ExitCode {
  const options = new CommandLine(args);
  const information = informationOf(options);
  if (information !== undefined) {
    streams.write({ stream: 'stdout', text: information });
    return EXIT.ok;
  }
  for (const argument of options.ignored) warn(`ignoring "${argument}": a file is named with --xml-file`);
  const destination = options.last('output-to') ?? '-';
  if (destination === '-') return runCommand(options, streams.write);
  const text = new LongText();
  const exitCode = runCommand(options, (chunk) => {
    if (chunk.stream === 'stdout') text.add(chunk.text);
    else streams.write(chunk);
  });
  saveFile(destination, text.toString());
  return exitCode;
}

function informationOf(options: CommandLine): string | undefined {
  if (options.has('version')) return VERSION;
  for (const [name, group] of entriesOf(HELP)) if (options.has(name)) return helpText(group);
  return undefined;
}

const entriesOf = Object.entries as <Key extends string, Value>(record: Readonly<Record<Key, Value>>) => [Key, Value][];

function runCommand(options: CommandLine, write: WriteChunk): ExitCode {
  const directory = options.last('profile');
  return directory === undefined ? simulateCommand(options, process.env, write) : profileCommand(options, directory, write);
}

function warn(text: string): void {
  streams.write({ stream: 'stderr', text: `crm_simulate: ${text}\n` });
}

/** Tells what ended the program, and with which code it ends. */
function failed(error: unknown): ExitCode {
  if (error instanceof UsageError) {
    warn(`${error.message} (--help lists the options)`);
    return EXIT.usage;
  }
  try {
    const { message, exitCode } = asProgramError(error);
    streams.write({ stream: 'stderr', text: `${message}\n` });
    return exitCode;
  } catch {
    warn(`this is a defect, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return EXIT.software;
  }
}

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  process.exitCode = failed(error);
} finally {
  streams.flush();
}
