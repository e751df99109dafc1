import { setTimeout as sleep } from 'node:timers/promises';
import { beginWhenConnectionsAreFree } from '@systole/event-store';
import { LeftoverSchema, migrate } from '@systole/migrations';
import { growHeapsSlowly } from '@systole/read-models/idle-memory';
import { createWorker } from './create-worker.js';
import { InvalidSetting, workerConfigFrom } from './worker-config.js';

/** How long closing may take before the process ends all the same; what is lost thereby is done again by another worker. */
const PATIENCE_MS = 15_000;

async function main(): Promise<void> {
  if (process.argv.length > 2)
    throw new InvalidSetting(
      'the worker takes no arguments: its settings are environment variables (docs/guide/limits.md, docker-compose.yml)',
    );
  const config = workerConfigFrom(process.env);
  await beginWhenConnectionsAreFree(() => migrate(config.databaseUrl), {
    tell: (reason) => {
      process.stderr.write(`${reason}\n`);
    },
  });
  const worker = await createWorker({ ...config, warmUp: true });
  const stop = (): void => {
    void Promise.race([worker.close(), sleep(PATIENCE_MS)]).finally(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

growHeapsSlowly();
main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof InvalidSetting || error instanceof LeftoverSchema ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
});
