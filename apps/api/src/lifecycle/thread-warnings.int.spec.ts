import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const STARTS_THREAD = `
import { Worker } from 'node:worker_threads';
const [, entry, workerData, preload] = process.argv;
new Worker(new URL(entry), { workerData: JSON.parse(workerData), execArgv: ['--import', preload] });
`;
/** In the thread alone: again and again, as what it begins with loads for a while. */
const WARNS = `data:text/javascript,${encodeURIComponent("setInterval(() => process.emitWarning('old'), 100);")}`;

let database: ScratchDatabase;
let directory = '';
beforeAll(async () => {
  database = await createScratchDatabase();
  directory = await mkdtemp(join(tmpdir(), 'api-threads-'));
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

it.each(['front/operators-thread.js', 'computing/computing-thread.js'])(
  'what Node.js warns of in the thread of %s is a line of the log, where the log is JSON',
  { timeout: 120_000 },
  async (entry) => {
    const url = new URL(`../../dist/${entry}`, import.meta.url).href;
    const config = JSON.stringify({ databaseUrl: database.url, frontedAt: join(directory, 'socket') });
    const child = spawn(process.execPath, ['--input-type=module', '-e', STARTS_THREAD, url, config, WARNS], {
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
      expect(warned).toMatchObject({ name: 'systole-api', level: 40, msg: 'a warning of Node.js', err: { message: 'old' } });
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  },
);
