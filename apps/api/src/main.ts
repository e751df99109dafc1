import { setTimeout as sleep } from 'node:timers/promises';
import { UnfitCertificate } from '@systole/certificates';
import { growHeapsSlowly } from '@systole/read-models/idle-memory';
import { apiConfigFrom } from './api-config.js';
import { createApi } from './create-api.js';
import { InvalidSetting } from './environment.js';

/** How long closing may take before the process ends all the same. Whatever was acknowledged is stored. */
const PATIENCE_MS = 10_000;

async function main(): Promise<void> {
  if (process.argv.length > 2)
    throw new InvalidSetting(
      'the api takes no arguments: its settings are environment variables (docs/guide/limits.md, docker-compose.yml)',
    );
  const api = await createApi({ ...apiConfigFrom(process.env), operatorsApart: true });
  const stop = (): void => {
    void Promise.race([api.close(), sleep(PATIENCE_MS)]).finally(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/** Why the server did not start, and what to look at. */
function reasonOf(error: unknown): string {
  if (error instanceof InvalidSetting || error instanceof UnfitCertificate) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^E[A-Z_]+$/.test(code)) return `PostgreSQL cannot be reached (${code}): see whether it runs where DATABASE_URL says`;
  return String(error instanceof Error ? error.stack : error);
}

growHeapsSlowly();
main().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
});
