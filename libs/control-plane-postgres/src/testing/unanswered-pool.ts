import type { Pool, PoolClient } from 'pg';

/** What becomes of the next commit of events; `answered` again after it. */
export interface NextCommit {
  fate: 'answered' | 'unanswered' | 'lost';
}

/** A pool whose connection breaks at the next commit of events: right after it took place, or right before. */
export function unansweredPool(pool: Pool, next: NextCommit): Pool {
  const breakAt = async (commit: () => Promise<unknown>, giveUp: () => Promise<unknown>): Promise<unknown> => {
    const { fate } = next;
    next.fate = 'answered';
    if (fate === 'answered') return commit();
    await (fate === 'unanswered' ? commit() : giveUp());
    throw new Error('Connection terminated unexpectedly');
  };
  const isAppend = (query: unknown): boolean =>
    typeof query === 'object' && query !== null && 'name' in query && query.name === 'systole-append';
  const isCommit = (query: unknown): boolean =>
    query === 'COMMIT' || (typeof query === 'object' && query !== null && 'text' in query && query.text === 'COMMIT');
  const clientOf = (client: PoolClient): PoolClient =>
    proxy(client, (query, run) => (isCommit(query) ? breakAt(run, () => client.query('ROLLBACK')) : run()));
  return new Proxy(
    proxy(pool, (query, run) => (isAppend(query) ? breakAt(run, () => Promise.resolve()) : run())),
    { get: (target, key) => (key === 'connect' ? async () => clientOf(await pool.connect()) : property(target, key)) },
  );
}

/** The same object, with its `query` in our hands. */
function proxy<T extends Pool | PoolClient>(target: T, query: (what: unknown, run: () => Promise<unknown>) => Promise<unknown>): T {
  return new Proxy(target, {
    get: (_, key) => {
      if (key !== 'query') return property(target, key);
      const run = property(target, key) as (...parameters: readonly unknown[]) => Promise<unknown>;
      return (...parameters: readonly unknown[]) => query(parameters[0], () => run(...parameters));
    },
  });
}

function property(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === 'function' ? (value as (...parameters: unknown[]) => unknown).bind(target) : value;
}
