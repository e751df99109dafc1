import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('a worker that is stopped while it starts', () => {
  let database: ScratchDatabase;
  beforeEach(async () => {
    database = await createScratchDatabase();
  });
  afterEach(() => database.drop());

  it('ends by itself at once, as the first process of a container has to, and was never there', async () => {
    const holder = await database.pool.connect();
    // Another process migrates (migrate.ts).
    await holder.query('SELECT pg_advisory_lock(6004793526128754756)');
    const child = spawn(process.execPath, [fileURLToPath(new URL('../dist/main.js', import.meta.url))], {
      env: { ...process.env, DATABASE_URL: database.url, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    const waits = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          if (chunk.includes('another process changes the schema')) resolve();
        });
    });
    await Promise.race([waits, exited]);
    child.kill('SIGTERM');
    const ended = await exited;
    holder.release(true);
    expect(ended).toEqual([0, null]);
    const { rows } = await database.pool.query('SELECT FROM worker_heartbeats');
    expect(rows).toEqual([]);
  });
});
