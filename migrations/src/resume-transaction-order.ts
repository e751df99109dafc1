import type { Client } from 'pg';

const EPOCH_WHEN_BEHIND = `
SELECT max(transaction_id) + 1 - pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS epoch
FROM events
HAVING max(transaction_id) >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + event_transaction_epoch()`;

/**
 * Lets the global order go on after the events were restored from a dump into another PostgreSQL server. Transaction ids are that
 * server's own and may be behind those of the restored events; readers would then take these for unfinished and wait. From here on the
 * difference is added to the server's ids. Does nothing otherwise.
 */
export async function resumeTransactionOrder(client: Client): Promise<void> {
  const behind = await client.query<{ epoch: string }>(EPOCH_WHEN_BEHIND);
  const epoch = behind.rows[0]?.epoch;
  if (epoch === undefined) return;
  await client.query(
    `CREATE OR REPLACE FUNCTION event_transaction_epoch() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT ${BigInt(epoch)}::bigint'`,
  );
}
