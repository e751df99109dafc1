import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { freePort } from '@systole/queue/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Holds up every thread before it has loaded anything: so does a machine that has no time for it. */
const SLOW_THREADS = `data:text/javascript,${encodeURIComponent(
  "import { isMainThread, workerData } from 'node:worker_threads'; if (!isMainThread && workerData?.frontedAt !== undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
)}`;

let database: ScratchDatabase;
let directory = '';
beforeAll(async () => {
  database = await createScratchDatabase({ empty: true });
  directory = await mkdtemp(join(tmpdir(), 'api-stopped-'));
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

it('an api that is told to end while it waits for the thread that serves operators ends in good order', { timeout: 120_000 }, async () => {
  const port = await freePort();
  const api = spawn(process.execPath, ['--import', SLOW_THREADS, PROGRAM], {
    env: { ...process.env, DATABASE_URL: database.url, PORT: String(port), HOST: '127.0.0.1', TMPDIR: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(api, 'exit');
  try {
    // Agents are served already.
    while (!(await fetch(`http://127.0.0.1:${String(port)}/health/live`).catch(() => undefined))?.ok) await sleep(100);
    const told = performance.now();
    api.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(performance.now() - told).toBeLessThan(30_000);
    expect(await readdir(directory)).toEqual([]);
  } finally {
    api.kill('SIGKILL');
  }
});
