import { readSigningKey, HeadSigning, UnusableKey } from '@systole/event-store';
import { repeat, type Repeating } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { KeyObject } from 'node:crypto';
import { InvalidSetting } from '@systole/settings';
import type { WorkerConfig } from './worker-config.js';

const SIGN_EVERY_MS = 300_000;

/** The key that a worker is to sign with; undefined: it is to sign nothing. @throws {InvalidSetting} when it can't be used */
export async function signingKeyOf({ signingKeyFile }: WorkerConfig): Promise<KeyObject | undefined> {
  if (signingKeyFile === undefined) return undefined;
  try {
    return await readSigningKey(signingKeyFile);
  } catch (error) {
    if (error instanceof UnusableKey) throw new InvalidSetting(`SYSTOLE_SIGNING_KEY_FILE: ${error.message}`);
    throw error;
  }
}

/** Signs the heads of the log again and again, at the start first. @returns ends it */
export function signHeads(
  pool: Pool,
  key: KeyObject,
  installation: string,
  { signEveryMs = SIGN_EVERY_MS }: WorkerConfig,
  log: Logger,
): Repeating {
  const signing = new HeadSigning(pool, key, installation);
  return repeat(
    SYSTEM_CLOCK,
    signEveryMs,
    async () => {
      const signed = await signing.signNow();
      if (signed !== undefined) log.debug({ statement: signed.number, streams: signed.heads.length }, 'the heads of the log were signed');
    },
    (error) => {
      log.warn({ err: error }, 'the heads of the log could not be signed; they are the next time');
    },
  );
}
