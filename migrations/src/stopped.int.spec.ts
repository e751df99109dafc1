import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

let database: ScratchDatabase;
beforeEach(async () => {
  database = await createScratchDatabase({ empty: true });
});
afterEach(() => database.drop());

/** As the first process of a container, which a signal that it does not hear would not end. */
it.each(['SIGTERM', 'SIGINT'] as const)(
  'the program that waits to migrate ends by itself at a %s, and says that it is not done',
  async (signal) => {
    const holder = await database.pool.connect();
    // Of migrate.ts.
    await holder.query('SELECT pg_advisory_lock(6004793526128754756)');
    const child = spawn(process.execPath, [fileURLToPath(new URL('../dist/main.js', import.meta.url))], {
      env: { ...process.env, DATABASE_URL: database.url },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    let said = '';
    const waits = new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('another process changes the schema')) resolve();
      });
    });
    await Promise.race([waits, exited]);
    child.kill(signal);
    const ended = await exited;
    holder.release(true);
    expect(ended).toEqual([signal === 'SIGTERM' ? 143 : 130, null]);
    expect(said).toContain(`Ended by ${signal}`);
    const { rows } = await database.pool.query(`SELECT FROM pg_tables WHERE tablename = 'events'`);
    expect(rows).toEqual([]);
  },
);
