import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

const STARTS_THREAD = `
import { Worker } from 'node:worker_threads';
const [, entry, preload] = process.argv;
new Worker(new URL(entry), { execArgv: ['--import', preload] });
`;
/** In the thread alone: again and again, as what it begins with loads for a while. */
const WARNS = `data:text/javascript,${encodeURIComponent("setInterval(() => process.emitWarning('old'), 100);")}`;

it('what Node.js warns of in a scheduling thread is a line of the log, where the log is JSON', { timeout: 60_000 }, async () => {
  const entry = new URL('../../dist/scheduling/schedule-thread.js', import.meta.url).href;
  const child = spawn(process.execPath, ['--input-type=module', '-e', STARTS_THREAD, entry, WARNS], {
    env: { ...process.env, LOG_FORMAT: 'json' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  try {
    let warned: unknown;
    for await (const line of createInterface(child.stderr)) {
      if (!line.startsWith('{')) continue;
      warned = JSON.parse(line);
      break;
    }
    expect(warned).toMatchObject({ name: 'worker', level: 40, msg: 'a warning of Node.js', err: { message: 'old' } });
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
});
