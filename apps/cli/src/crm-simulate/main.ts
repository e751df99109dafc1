import type { WriteChunk } from '@systole/simulator';
import { CommandLine, UsageError } from './command-line.js';
import { EXIT, type ExitCode, ProgramError } from './exit-codes.js';
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
  let text = '';
  const exitCode = runCommand(options, (chunk) => {
    if (chunk.stream === 'stdout') text += chunk.text;
    else streams.write(chunk);
  });
  saveFile(destination, text);
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

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    warn(`${error.message} (--help lists the options)`);
    process.exitCode = EXIT.usage;
  } else if (error instanceof ProgramError) {
    streams.write({ stream: 'stderr', text: `${error.message}\n` });
    process.exitCode = error.exitCode;
  } else {
    warn(`this is a defect, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exitCode = EXIT.software;
  }
} finally {
  streams.flush();
}
