import { homedir } from 'node:os';
import { EXIT } from './exit-code.js';
import { run } from './program.js';

const PATIENCE_MS = 500;

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted.abort();
    // What does not listen, e.g. the reading of standard input, is ended all the same.
    setTimeout(() => process.exit(EXIT.interrupted), PATIENCE_MS).unref();
  });
}
// `systole events | head` closes the pipe early: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  home: homedir(),
  stdin: process.stdin,
  write: (text) => {
    process.stdout.write(text);
  },
  complain: (line) => {
    process.stderr.write(`${line}\n`);
  },
  interactive: process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '',
  size: () => (process.stdout.isTTY ? { columns: process.stdout.columns, rows: process.stdout.rows } : undefined),
  interrupted: interrupted.signal,
});
