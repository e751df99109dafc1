import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';

const OPEN = `
SELECT application_name AS name, count(*)::integer AS open FROM pg_stat_activity
WHERE datname = current_database() AND application_name LIKE 'systole%' GROUP BY application_name`;
const EVERY_MS = 10;

/** The most connections to a database that were open at a time. */
export interface MostConnections {
  readonly inAll: number;
  readonly byName: ReadonlyMap<string, number>;
}

/** Counts the product's connections to a database for as long as something goes on. @param pool of that database; its own are not counted under another name */
export async function mostConnectionsWhile(pool: Pool, goesOn: () => Promise<void>): Promise<MostConnections> {
  const byName = new Map<string, number>();
  let inAll = 0;
  const over = new AbortController();
  const counting = (async () => {
    while (!over.signal.aborted) {
      const { rows } = await pool.query<{ name: string; open: number }>(OPEN);
      for (const { name, open } of rows) byName.set(name, Math.max(open, byName.get(name) ?? 0));
      inAll = Math.max(
        inAll,
        rows.reduce((sum, { open }) => sum + open, 0),
      );
      await sleep(EVERY_MS);
    }
  })();
  try {
    await goesOn();
  } finally {
    over.abort();
  }
  await counting;
  return { inAll, byName };
}
