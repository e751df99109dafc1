import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { isSilence, storeError } from '../errors.js';

/**
 * Runs work in a READ COMMITTED transaction; what it throws rolls everything back.
 *
 * @throws {StoreUnavailable} where the database is away; when only the answer to COMMIT is missing it says that the outcome is unknown
 * @throws {TransactionMustRestart} where the database ended it for the sake of another one
 */
export function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return onClient(pool, async (client) => {
    const begun = client.query('BEGIN').then(() => work(client));
    const result = await begun.catch((error: unknown) => {
      throw storeError(error, 'read');
    });
    await client.query('COMMIT').catch((error: unknown) => {
      throw storeError(error, 'append');
    });
    return result;
  });
}

/**
 * A READ COMMITTED transaction of two round trips, where the pool's connections pipeline (`pipeline` of `pg`): what the first statements lock is held for no longer than
 * it takes to decide on their results. On other connections it does the same one statement after the other.
 *
 * @param first go with BEGIN
 * @param then makes of their results what goes with COMMIT; undefined: nothing, and the transaction is rolled back
 * @returns the results of what `then` asked; none when it asked nothing
 * @throws as {@link inTransaction}
 */
export function inTwoTrips(
  pool: Pool,
  first: readonly QueryConfig[],
  then: (results: readonly QueryResult[]) => readonly QueryConfig[] | undefined,
): Promise<readonly QueryResult[]> {
  return onClient(pool, async (client) => {
    const [, ...results] = await together(client, [{ text: 'BEGIN' }, ...first]).catch((error: unknown) => {
      throw storeError(error, 'read');
    });
    const last = then(results);
    if (last === undefined) {
      await client.query('ROLLBACK');
      return [];
    }
    // Should one of them fail, the server makes a ROLLBACK of the COMMIT that is on its way already.
    const answers = await together(client, [...last, { text: 'COMMIT' }]).catch((error: unknown) => {
      throw storeError(error, 'append');
    });
    return answers.slice(0, -1);
  });
}

/** @throws what the first that fails throws, once all have been answered */
async function together(client: PoolClient, queries: readonly QueryConfig[]): Promise<readonly QueryResult[]> {
  if (!client.pipeline) {
    const results: QueryResult[] = [];
    for (const query of queries) results.push(await client.query(query));
    return results;
  }
  const outcomes = await Promise.allSettled(queries.map((query) => client.query(query)));
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** Gives the connection back; one on which the work failed is rolled back first, or closed. */
async function onClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw storeError(error, 'connect');
  });
  let broken: Error | undefined;
  try {
    return await work(client);
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
