import { setTimeout as sleep } from 'node:timers/promises';
import { UnfitCertificate } from '@systole/certificates';
import { LeftoverSchema, SchemaHeld } from '@systole/migrations';
import { QueueUnavailable } from '@systole/queue';
import { growHeapsSlowly } from '@systole/read-models/idle-memory';
import { InvalidSetting, unknownSettings } from '@systole/settings';
import { startEmbedded, type Embedded } from './embedded.js';
import { EmbeddedPostgresError } from './postgres/embedded-postgres-error.js';
import { partSettings } from './part-settings.js';
import { StartFailure } from './start-failure.js';
import { InvalidUsage, startOptions, USAGE } from './start-options.js';

/** How long an orderly stop may take before the process ends all the same. Nothing is lost then: the next start recovers. */
const STOP_PATIENCE_MS = 20_000;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function main(): Promise<void> {
  const options = startOptions(process.argv.slice(2), process.env);
  if (!options) {
    say(USAGE);
    return;
  }
  const parts = partSettings(process.env);
  for (const unknown of unknownSettings(process.env)) process.stderr.write(`${unknown}\n`);
  const stopped = new AbortController();
  const running = startEmbedded({ ...options, parts, warmUp: true, progress: say });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopped.signal.aborted) return;
      stopped.abort();
      say('Stopping ...');
      void Promise.race([running.then((systole) => systole.stop()).catch(() => undefined), sleep(STOP_PATIENCE_MS)]).then(() =>
        process.exit(0),
      );
    });
  }
  const systole = await running;
  if (stopped.signal.aborted) return;
  announce(systole);
  await systole.failed;
}

function announce({ url, fromElsewhere, adminToken }: Embedded): void {
  say('');
  say(`Systole is running:    ${url}`);
  say(`The API's description: ${url}/docs`);
  if (fromElsewhere !== undefined) {
    const urls = fromElsewhere.length === 0 ? 'this machine has no address that others could use' : fromElsewhere.join(', ');
    say(`It listens on all addresses of this machine${url.startsWith('https:') ? '' : ', and speaks plain HTTP'}. From elsewhere: ${urls}`);
  }
  if (adminToken !== undefined && process.env['SYSTOLE_ADMIN_TOKEN'] !== adminToken) {
    say('');
    say(`Admin token (shown only now, keep it): ${adminToken}`);
  }
  say('');
  say('Ctrl-C stops it.');
}

growHeapsSlowly();
main().catch((error: unknown) => {
  const kinds = [
    EmbeddedPostgresError,
    StartFailure,
    LeftoverSchema,
    SchemaHeld,
    UnfitCertificate,
    InvalidUsage,
    InvalidSetting,
    QueueUnavailable,
  ];
  const known = kinds.some((kind) => error instanceof kind);
  const text = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
