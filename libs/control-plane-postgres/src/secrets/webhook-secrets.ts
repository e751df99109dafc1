import type { Pool } from 'pg';
import type { MasterKeys } from './master-keys.js';
import { resealText, sealText, unsealText } from './sealed-text.js';

/** How the secrets of webhooks lie in the database: under the keys for secrets, each at home in its webhook only. */
export function webhookSecretBox(keys: MasterKeys): {
  seal(secret: string, webhookId: string): string;
  open(sealed: string, webhookId: string): string | undefined;
} {
  return {
    seal: (secret, webhookId) => sealText(secret, placeOf(webhookId), keys),
    open: (sealed, webhookId) => unsealText(sealed, placeOf(webhookId), keys),
  };
}

/**
 * Brings the secrets of all webhooks under the present key, those that were stored before there was one, too.
 *
 * @returns how many were sealed anew, and how many none of the keys opens
 */
export async function resealWebhookSecrets(pool: Pool, keys: MasterKeys): Promise<{ readonly rewrapped: number; readonly locked: number }> {
  const { rows } = await pool.query<{ readonly id: string; readonly secret: string; readonly previous_secret: string | null }>(
    'SELECT id, secret, previous_secret FROM webhooks ORDER BY id',
  );
  let rewrapped = 0;
  let locked = 0;
  for (const { id, secret, previous_secret: previous } of rows) {
    const now = resealText(secret, placeOf(id), keys);
    const before = previous === null ? null : resealText(previous, placeOf(id), keys);
    if (now === undefined || before === undefined) locked += 1;
    if ((now ?? secret) === secret && (before ?? previous) === previous) continue;
    // One that was given a new secret meanwhile has it.
    const { rowCount } = await pool.query(
      'UPDATE webhooks SET secret = $2, previous_secret = $3 WHERE id = $1 AND secret = $4 AND previous_secret IS NOT DISTINCT FROM $5',
      [id, now ?? secret, before ?? previous, secret, previous],
    );
    rewrapped += rowCount ?? 0;
  }
  return { rewrapped, locked };
}

/** Of how many webhooks none of the keys opens the secret. */
export async function lockedWebhooks(pool: Pool, keys: MasterKeys): Promise<number> {
  const { rows } = await pool.query<{ readonly id: string; readonly secret: string }>('SELECT id, secret FROM webhooks');
  return rows.filter(({ id, secret }) => unsealText(secret, placeOf(id), keys) === undefined).length;
}

function placeOf(webhookId: string): string {
  return `webhook ${webhookId}`;
}
