import { StandardStreams } from './output.js';
import { runProgram } from './run-program.js';

const streams = new StandardStreams();
try {
  process.exitCode = runProgram(process.argv.slice(2), process.env, streams.write);
} finally {
  streams.flush();
}
