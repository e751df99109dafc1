import type { ClientBase, Pool } from 'pg';

/** Looks at a new connection before anything else is done on it. @throws what keeps it from being used; it is closed then */
export type ConnectionCheck = (connection: ClientBase) => Promise<void>;

/** From now on neither the pool nor whoever opens a connection by its options gets one that the check refuses. Connections that are open already are left as they are. */
export function checkConnections(pool: Pool, check: ConnectionCheck): void {
  // The pool waits for what it returns, which its types don't say.
  Object.assign(pool.options, { onConnect: check });
}

/** Does to a connection beside a pool what the pool does to each of its own. @param options of the pool @throws what the check throws */
export async function checked(connection: ClientBase, options: object): Promise<void> {
  const { onConnect } = options as { readonly onConnect?: ConnectionCheck };
  await onConnect?.(connection);
}
