import type { Pool, PoolClient } from 'pg';
import { isSilence, storeError } from '../errors.js';

/**
 * Runs work in a READ COMMITTED transaction; what it throws rolls everything back.
 *
 * @throws {StoreUnavailable} where the database is away; when only the answer to COMMIT is missing it says that the outcome is unknown
 * @throws {TransactionMustRestart} where the database ended it for the sake of another one
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw storeError(error, 'connect');
  });
  let broken: Error | undefined;
  try {
    const begun = client.query('BEGIN').then(() => work(client));
    const result = await begun.catch((error: unknown) => {
      throw storeError(error, 'read');
    });
    await client.query('COMMIT').catch((error: unknown) => {
      throw storeError(error, 'append');
    });
    return result;
  } catch (error) {
    // Nothing more is to be heard on that connection; when it is closed the server rolls back.
    if (isSilence(error)) {
      broken = error;
      throw error;
    }
    await client.query('ROLLBACK').catch((rollbackError: unknown) => {
      broken = rollbackError instanceof Error ? rollbackError : new Error(String(rollbackError));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
