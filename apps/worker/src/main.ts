import { setTimeout as sleep } from 'node:timers/promises';
import { beginWhenConnectionsAreFree } from '@systole/event-store';
import { LeftoverSchema, migrate, SchemaHeld } from '@systole/migrations';
import { logFormatIn, OutsideLog } from '@systole/program-log';
import { growHeapsSlowly } from '@systole/read-models/idle-memory';
import { InvalidSetting, unknownSettings } from '@systole/settings';
import { createWorker } from './create-worker.js';
import { workerConfigFrom } from './worker-config.js';

/** How long closing may take before the process ends all the same; what is lost thereby is done again by another worker. */
const PATIENCE_MS = 15_000;

const format = logFormatIn(process.env['LOG_FORMAT']);
const outside = new OutsideLog('worker', format ?? 'text');
const stopped = new AbortController();
/** Whether the process was told to end. */
const isStopped = (): boolean => stopped.signal.aborted;

async function closing(worker: ReturnType<typeof createWorker> | undefined): Promise<void> {
  try {
    await (await worker)?.close();
  } catch {
    // A start that failed has nothing to close.
  }
}

async function main(): Promise<void> {
  if (process.argv.length > 2)
    throw new InvalidSetting(
      'the worker takes no arguments: its settings are environment variables (docs/guide/settings.md, docker-compose.yml)',
    );
  const tell = (reason: string): void => {
    outside.say('warn', reason);
  };
  unknownSettings(process.env).forEach(tell);
  const config = workerConfigFrom(process.env);
  const begun: { worker?: ReturnType<typeof createWorker> } = {};
  // From the beginning: the start may wait for long, and the first process of a container is not ended by a signal that it does not hear.
  const stop = (): void => {
    // Whoever says it twice will not wait.
    if (isStopped()) process.exit(1);
    stopped.abort();
    // Before that nothing of this process is anywhere; what it migrates the database rolls back.
    const closed = closing(begun.worker);
    void Promise.race([closed, sleep(PATIENCE_MS)]).finally(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  await beginWhenConnectionsAreFree(() => migrate(config.databaseUrl, { onWait: tell }), { tell });
  if (isStopped()) return;
  begun.worker = createWorker({ warmUp: true, ...config });
  const worker = await begun.worker;
  if (config.warmUp !== false && !isStopped()) void worker.warmUp();
}

outside.takeOver();
growHeapsSlowly();
main().catch((error: unknown) => {
  // It ends as it was told to.
  if (isStopped()) return;
  outside.say(
    'fatal',
    error instanceof InvalidSetting || error instanceof LeftoverSchema || error instanceof SchemaHeld
      ? error.message
      : String(error instanceof Error ? error.stack : error),
  );
  process.exit(1);
});
