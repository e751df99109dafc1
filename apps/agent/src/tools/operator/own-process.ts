import { spawn } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Caller } from '../caller.js';

const AGAIN = 'SYSTOLE_TOOL_AGAIN';

/** Whether this process is the one in the background. */
export function isInBackground(): boolean {
  return process.env[AGAIN] !== undefined;
}

/** A tool that runs in its caller's own process. */
export function ownProcess(): Caller {
  const gone = new AbortController();
  const pidFile = process.env[AGAIN] ?? '';
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      if (pidFile !== '') rmSync(pidFile, { force: true });
      gone.abort();
    });
  return {
    stdin: () => text(process.stdin),
    read: (path) => readFile(path, 'utf8'),
    write: (shown) => process.stdout.write(shown),
    file: (path, content) => {
      const fresh = `${path}.${process.pid}`;
      writeFileSync(fresh, content);
      renameSync(fresh, path);
    },
    // The same command line once more, without a terminal.
    detach: (file) => {
      const child = spawn(process.execPath, process.argv.slice(1), {
        detached: true,
        stdio: 'ignore',
        env: { ...process.env, [AGAIN]: file },
      });
      if (file !== '') writeFileSync(file, `${String(child.pid).padStart(11)}\n`);
      process.exit(0);
    },
    run: (program, environment) => {
      spawn(program, { stdio: 'ignore', env: { ...process.env, ...environment } }).on('error', () => undefined);
    },
    gone: gone.signal,
  };
}
