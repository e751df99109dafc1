import { AccessTokens } from '@systole/access';
import type { TransactionTables } from '@systole/control-plane';
import type { Pool, PoolClient } from 'pg';

/** The tokens of agents in containers, within a transaction. */
export function containerTokensIn(pool: Pool, client: PoolClient): TransactionTables['containerTokens'] {
  const tokens = new AccessTokens(pool);
  return {
    withdraw: (clusterId, { host, container, but = [] }, by) =>
      tokens.revokeOfContainers(client, { clusterId, host, ...(container === undefined ? {} : { container }), but }, by),
  };
}
