import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditLog } from '@systole/access';
import { repeat, type Repeating } from '@systole/control-plane';
import { SYSTEM_CLOCK } from '@systole/control-plane-postgres';
import type { Pool } from 'pg';
import type { WorkerConfig } from './worker-config.js';

const KEEP_DELIVERIES_MS = 7 * 86_400_000;
const PURGE_EVERY_MS = 3_600_000;
/** Rows of one statement: a lock held for milliseconds. */
const SLICE = 1_000;
/** Between two slices, ms. */
const PAUSE_MS = 50;

/** $1 age, ms, $2 most, by table. What waits is not thrown away, however old. */
const PURGES = {
  webhook_deliveries: `
DELETE FROM webhook_deliveries
WHERE id IN (
  SELECT id FROM webhook_deliveries
  WHERE at < clock_timestamp() - $1 * interval '1 millisecond' AND outcome <> 'waiting'
  ORDER BY at
  LIMIT $2
  FOR UPDATE SKIP LOCKED
)`,
  alert_runs: `
DELETE FROM alert_runs
WHERE id IN (
  SELECT id FROM alert_runs
  WHERE at < clock_timestamp() - $1 * interval '1 millisecond' AND outcome NOT IN ('waiting', 'given')
  ORDER BY at
  LIMIT $2
  FOR UPDATE SKIP LOCKED
)`,
} as const;

/** Throws away what was kept for long enough, slice by slice, and tells the audit how much that was. */
export function purgeOldRows(
  pool: Pool,
  audit: Pick<AuditLog, 'note'>,
  { keepDeliveriesMs = KEEP_DELIVERIES_MS }: WorkerConfig,
  onTrouble: (error: unknown) => void,
): Repeating {
  let stopped = false;
  const purging = repeat(
    SYSTEM_CLOCK,
    PURGE_EVERY_MS,
    async () => {
      for (const [table, statement] of Object.entries(PURGES)) {
        let purged = 0;
        try {
          for (;;) {
            const { rowCount } = await pool.query(statement, [keepDeliveriesMs, SLICE]);
            purged += rowCount ?? 0;
            if (stopped) return;
            if ((rowCount ?? 0) < SLICE) break;
            await sleep(PAUSE_MS);
          }
        } finally {
          const meta = { actor: 'worker', command: 'purge', correlationId: randomUUID() };
          if (purged > 0) audit.note({ type: 'KeptRowsPurged', data: { rows: { [table]: purged } } }, meta);
        }
      }
    },
    onTrouble,
  );
  return {
    stop: async () => {
      stopped = true;
      await purging.stop();
    },
  };
}
