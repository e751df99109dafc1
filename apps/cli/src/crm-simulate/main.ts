import type { WriteChunk } from '@systole/simulator';
import { CommandLine, UsageError } from './command-line.js';
import { EXIT, type ExitCode, ProgramError } from './exit-codes.js';
import { helpText } from './options.js';
import { saveFile, StandardStreams } from './output.js';
import { profileCommand } from './profile-command.js';
import { simulateCommand } from './simulate-command.js';

const VERSION = 'Systole 0.1.0, in place of Pacemaker 3.0\n';

const streams = new StandardStreams();

function run(args: readonly string[]): ExitCode {
  const options = new CommandLine(args);
  if (options.has('help') || options.has('version')) {
    streams.write({ stream: 'stdout', text: options.has('help') ? helpText() : VERSION });
    return EXIT.ok;
  }
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

function runCommand(options: CommandLine, write: WriteChunk): ExitCode {
  const directory = options.last('profile');
  return directory === undefined ? simulateCommand(options, write) : profileCommand(options, directory, write);
}

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof ProgramError)) throw error;
  const usage = error instanceof UsageError;
  streams.write({ stream: 'stderr', text: `${usage ? 'crm_simulate: ' : ''}${error.message}\n` });
  process.exitCode = usage ? EXIT.usage : error.exitCode;
} finally {
  streams.flush();
}
