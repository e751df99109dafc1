import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';

const PATIENCE_MS = 50_000;

/**
 * Waits until the order of everything appended so far is final: until older transactions on the server have ended, whosever they are. Other tests'
 * transactions may run for many seconds (a log of a million events is written in one).
 *
 * @throws Error after 50 s
 */
export async function orderFinal(pool: Pool): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
    const { rows } = await pool.query<{ hidden: boolean }>(
      'SELECT EXISTS (SELECT FROM events WHERE transaction_id >= event_horizon()) AS hidden',
    );
    if (rows[0]?.hidden === false) return;
    await sleep(20);
  }
  throw new Error(`a transaction on the server that is older than the newest event has run for more than ${String(PATIENCE_MS)} ms`);
}
