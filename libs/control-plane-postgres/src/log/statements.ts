import pg, { type ClientBase, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { Unstorable } from '@systole/control-plane';
import { InvalidEvent, storeError } from '@systole/event-store';

/** Where statements go. */
export interface Statements {
  query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>>;
}

/** What the database says that is about what it was asked, and not about itself: {@link Unstorable}; anything else as it is. */
export function refusalOf(error: unknown): unknown {
  return error instanceof InvalidEvent || (error instanceof pg.DatabaseError && storeError(error, 'read') === error)
    ? new Unstorable({ cause: error })
    : error;
}

/**
 * One statement after the other, for those who share a connection and do not know of one another: `pg` takes the next one when it has answered.
 * What one of them is refused all after it in its transaction are refused as well ({@link Unstorable}).
 */
export function oneAtATime(client: ClientBase): Statements {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query: <R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> => {
      const mine = last.then(() => client.query<R>(config));
      last = mine.catch(() => undefined);
      return mine.catch((error: unknown) => {
        throw refusalOf(error);
      });
    },
  };
}
