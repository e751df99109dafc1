import type { HeadSeals } from '@systole/control-plane';
import type { Pool } from 'pg';
import { KeyedSeals } from './keyed-seals.js';

/** What all programs on one database have in common, and no others. */
export interface Installation {
  /** UUID; no secret. */
  readonly id: string;
  readonly seals: HeadSeals;
}

/**
 * Reads whose database this is. Where that was lost it becomes another installation: what was sealed before counts as if it had no seal.
 *
 * @throws what `pg` says, when the schema is not there too
 */
export async function openInstallation(pool: Pool): Promise<Installation> {
  const read = (): Promise<{ readonly rows: readonly Row[] }> => pool.query<Row>('SELECT id, seal_key FROM installation');
  let [row] = (await read()).rows;
  if (row === undefined) {
    await pool.query('INSERT INTO installation DEFAULT VALUES ON CONFLICT DO NOTHING');
    [row] = (await read()).rows;
  }
  if (row === undefined) throw new Error('the table installation holds no row, and takes none');
  return { id: row.id, seals: new KeyedSeals(row.seal_key) };
}

interface Row {
  readonly id: string;
  readonly seal_key: Buffer;
}
