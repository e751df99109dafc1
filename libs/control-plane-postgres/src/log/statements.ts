import type { ClientBase, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/** Where statements go. */
export interface Statements {
  query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>>;
}

/** One statement after the other, for those who share a connection and do not know of one another: `pg` takes the next one when it has answered. */
export function oneAtATime(client: ClientBase): Statements {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query: <R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> => {
      const mine = last.then(() => client.query<R>(config));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
