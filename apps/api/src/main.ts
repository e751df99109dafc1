import { setTimeout as sleep } from 'node:timers/promises';
import { UnfitCertificate } from '@systole/certificates';
import { LeftoverSchema, SchemaHeld } from '@systole/migrations';
import { logFormatIn, OutsideLog } from '@systole/program-log';
import { growHeapsSlowly } from '@systole/read-models/idle-memory';
import { InvalidSetting, unknownSettings } from '@systole/settings';
import { apiConfigFrom } from './api-config.js';
import { createApi, StartGivenUp } from './create-api.js';

/** How long closing may take before the process ends all the same. Whatever was acknowledged is stored. */
const PATIENCE_MS = 10_000;

const format = logFormatIn(process.env['LOG_FORMAT']);
const outside = new OutsideLog('systole-api', format ?? 'text');

async function main(): Promise<void> {
  if (process.argv.length > 2)
    throw new InvalidSetting(
      'the api takes no arguments: its settings are environment variables (docs/guide/settings.md, docker-compose.yml)',
    );
  for (const unknown of unknownSettings(process.env)) outside.say('warn', unknown);
  const onAdminToken = format === 'json' ? { onAdminToken: tellAdminToken } : {};
  const stopped = new AbortController();
  const starting = createApi({ warmUp: true, ...apiConfigFrom(process.env), ...onAdminToken, operatorsApart: true }, stopped.signal);
  // From the beginning: the start may wait for long, and the first process of a container is not ended by a signal that it does not hear.
  const stop = (): void => {
    if (stopped.signal.aborted) return;
    stopped.abort();
    const closed = starting.then((api) => api.close()).catch(() => undefined);
    void Promise.race([closed, sleep(PATIENCE_MS)]).finally(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  await starting.catch((error: unknown) => {
    if (!(error instanceof StartGivenUp)) throw error;
  });
}

/** At the very first start there is nobody else who could tell it. */
function tellAdminToken(adminToken: string): void {
  outside.say('info', 'the admin token, shown this once', { adminToken });
}

/** Why the server did not start, and what to look at. */
function reasonOf(error: unknown): string {
  if (
    error instanceof InvalidSetting ||
    error instanceof UnfitCertificate ||
    error instanceof LeftoverSchema ||
    error instanceof SchemaHeld
  )
    return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^E[A-Z_]+$/.test(code)) return `PostgreSQL cannot be reached (${code}): see whether it runs where DATABASE_URL says`;
  return String(error instanceof Error ? error.stack : error);
}

outside.takeOver();
growHeapsSlowly();
main().catch((error: unknown) => {
  outside.say('fatal', reasonOf(error));
  process.exit(1);
});
