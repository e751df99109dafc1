import { randomBytes, randomUUID } from 'node:crypto';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MasterKeys, NO_KEYS } from './master-keys.js';
import { lockedWebhooks, resealWebhookSecrets, webhookSecretBox } from './webhook-secrets.js';

const old = { id: 'old', key: randomBytes(32) };
const now = { id: 'now', key: randomBytes(32) };

describe('the secrets of webhooks', () => {
  let database: ScratchDatabase;
  beforeEach(async () => {
    database = await createScratchDatabase();
  });
  afterEach(() => database.drop());

  async function webhook(secret: string, keys: MasterKeys, previous?: string): Promise<string> {
    const id = randomUUID();
    const box = webhookSecretBox(keys);
    const sealed = [box.seal(secret, id), previous === undefined ? null : box.seal(previous, id)];
    await database.pool.query(
      `INSERT INTO webhooks (id, name, url, secret, previous_secret, previous_until, created_by, severity, audit, enabled)
       VALUES ($1::uuid, $1::uuid::text, 'https://example.org', $2, $3, now() + interval '1 day', 'user:a', 'any', false, true)`,
      [id, ...sealed],
    );
    return id;
  }

  it('come under the present key together, and those that no key opens are counted', async () => {
    const first = await webhook('whsec_1', new MasterKeys([old]), 'whsec_0');
    const clear = await webhook('whsec_2', NO_KEYS);
    await webhook('whsec_3', new MasterKeys([{ id: 'lost', key: randomBytes(32) }]));
    const both = new MasterKeys([now, old]);
    expect(await lockedWebhooks(database.pool, both)).toBe(1);
    expect(await resealWebhookSecrets(database.pool, both)).toEqual({ rewrapped: 2, locked: 1 });
    expect(await resealWebhookSecrets(database.pool, both)).toEqual({ rewrapped: 0, locked: 1 });
    const { rows } = await database.pool.query<{ id: string; secret: string; previous_secret: string | null }>(
      'SELECT id, secret, previous_secret FROM webhooks WHERE id = ANY ($1::uuid[])',
      [[first, clear]],
    );
    const box = webhookSecretBox(new MasterKeys([now]));
    const opened = rows.map(({ id, secret, previous_secret: previous }) => [
      id,
      box.open(secret, id),
      previous === null ? null : box.open(previous, id),
    ]);
    expect(new Map(opened.map(([id, ...rest]) => [id, rest]))).toEqual(
      new Map([
        [first, ['whsec_1', 'whsec_0']],
        [clear, ['whsec_2', null]],
      ]),
    );
  });
});
