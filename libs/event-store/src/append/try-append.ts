import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../postgres/transaction.js';
import { appendBatchIn } from './append-batch.js';
import { canonicalDraft } from './canonical-event.js';

/** Of its own, so that it waits for nobody. */
const STREAM = 'systole-try-append';
const META = { actor: 'systole', command: 'try-append', correlationId: STREAM };
/** More than finds room in a page that is there already, and nothing that could be made shorter. */
const BYTES = 9_000;

/**
 * Appends an event and takes it back: what keeps others from being stored keeps this one, too. What it leaves are dead rows, as any transaction that is rolled
 * back; so it is for finding out whether a trouble is over, not for asking all the time.
 *
 * @param first is done in the same transaction before, and taken back as well
 * @throws {StoreUnavailable | SchemaMissing} as an append would
 */
export async function tryAppend(pool: Pool, first: (client: PoolClient) => Promise<void>): Promise<void> {
  const event = { type: 'Tried', schemaVersion: 1, data: { filling: randomBytes(BYTES).toString('base64') }, subjects: [] };
  const batch = { expectedVersion: null, drafts: [canonicalDraft(STREAM, event, META)] };
  const takenBack = new Error('taken back');
  await inTransaction(pool, async (client) => {
    await first(client);
    await appendBatchIn(client, STREAM, batch);
    throw takenBack;
  }).catch((error: unknown) => {
    if (error !== takenBack) throw error;
  });
}
