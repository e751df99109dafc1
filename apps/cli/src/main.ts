import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { printableLine } from '@systole/protocol';
import { EXIT } from './exit-code.js';
import { run } from './program.js';
import { fitted } from './render/fitted.js';

const PATIENCE_MS = 500;
/** For what became of a change to be asked and said. A second Ctrl-C ends it at once. */
const LINGERS_MS = 4_000;
const CLEAR_LINE = '\r\u001b[K';

const interrupted = new AbortController();
const lingering = new Set<Promise<unknown>>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted.abort();
    // What does not listen, e.g. the reading of standard input, is ended all the same.
    setTimeout(() => {
      void Promise.race([Promise.allSettled(lingering), sleep(LINGERS_MS)]).then(() => setImmediate(() => process.exit(EXIT.interrupted)));
    }, PATIENCE_MS).unref();
  });
}
// `systole events | head` closes the pipe early: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

/** Whether a line of progress stands on stderr. */
let shown = false;
function showProgress(text: string | undefined): void {
  if (text === undefined && !shown) return;
  process.stderr.write(
    `${CLEAR_LINE}${text === undefined ? '' : (fitted([printableLine(text)], { columns: process.stderr.columns - 1, rows: 1 })[0] ?? '')}`,
  );
  shown = text !== undefined;
}

// No `await` here: in the bundle this is no module.
void run(process.argv.slice(2), {
  environment: process.env,
  home: homedir(),
  stdin: process.stdin,
  write: (text) => {
    process.stdout.write(text);
  },
  complain: (line) => {
    process.stderr.write(`${shown ? CLEAR_LINE : ''}${line}\n`);
    shown = false;
  },
  ...(process.stderr.isTTY ? { progress: showProgress } : {}),
  linger: (work) => {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    lingering.add(settled);
    void settled.then(() => lingering.delete(settled));
  },
  interactive: process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '',
  size: () => (process.stdout.isTTY ? { columns: process.stdout.columns, rows: process.stdout.rows } : undefined),
  interrupted: interrupted.signal,
}).then((code) => {
  process.exitCode = code;
});
