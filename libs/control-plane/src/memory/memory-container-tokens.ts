import type { EndedContainers } from '@systole/cluster';
import type { TransactionTables } from '../ports/transaction-tables.js';

/** That the agent in a container has a token. */
export interface ContainerToken {
  readonly clusterId: string;
  readonly host: string;
  readonly container: string;
}

/** Twin of the table of tokens, as far as they are of containers. */
export function memoryContainerTokensIn(tokens: Set<ContainerToken>): TransactionTables['containerTokens'] {
  return {
    withdraw: (clusterId, ended) => {
      for (const token of tokens) if (token.clusterId === clusterId && hasEnded(token, ended)) tokens.delete(token);
      return Promise.resolve();
    },
  };
}

function hasEnded({ host, container }: ContainerToken, ended: EndedContainers): boolean {
  if (host !== ended.host || ended.but?.includes(container) === true) return false;
  return ended.container === undefined || ended.container === container;
}
