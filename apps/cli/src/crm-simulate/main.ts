import { ProgramError } from './exit-codes.js';
import { StandardStreams } from './output.js';
import { runProgram } from './run-program.js';

const streams = new StandardStreams();
process.exitCode = runProgram(process.argv.slice(2), process.env, streams.write);
try {
  streams.flush();
} catch (error) {
  if (!(error instanceof ProgramError)) throw error;
  process.exitCode = error.exitCode;
  streams.write({ stream: 'stderr', text: `${error.message}\n` });
  streams.flush();
}
