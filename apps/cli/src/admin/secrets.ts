import { PostgresSecrets, readMasterKeys, resealWebhookSecrets, UnfitKeyFile } from '@systole/control-plane-postgres';
import pg from 'pg';
import { UsageError } from '../exit-code.js';

/**
 * Wraps all secrets, those of webhooks too, with the first key of a file.
 *
 * @throws {UsageError} for a file that can't be used
 */
export async function rotateSecrets(
  databaseUrl: string,
  keyFile: string,
): Promise<{ readonly rewrapped: number; readonly locked: number }> {
  const keys = await readMasterKeys(keyFile).catch((error: unknown) => {
    throw error instanceof UnfitKeyFile ? new UsageError(error.message) : error;
  });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, application_name: 'systole-cli' });
  try {
    const ofClusters = await new PostgresSecrets(pool, { keys, patterns: [] }).rotate();
    const ofWebhooks = await resealWebhookSecrets(pool, keys);
    return { rewrapped: ofClusters.rewrapped + ofWebhooks.rewrapped, locked: ofClusters.locked + ofWebhooks.locked };
  } finally {
    await pool.end();
  }
}
