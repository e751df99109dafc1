import type { AgentWrites, NumberedWrite } from '../ports/agent-writes.js';
import type { MemoryDatabase } from './memory-database.js';

export type NewestWrite = Pick<NumberedWrite, 'incarnation' | 'number'>;

/** Twin of the table of the agents' newest writes. */
export class MemoryAgentWrites implements AgentWrites {
  constructor(private readonly database: MemoryDatabase) {}

  begin(write: NumberedWrite): Promise<boolean> {
    return this.database.exclusively(() => memoryAgentWritesIn(this.database.tables.agentWrites).begin(write));
  }
}

export function memoryAgentWritesIn(newest: Map<string, NewestWrite>): AgentWrites {
  return {
    begin: ({ clusterId, node, incarnation, number }) => {
      const key = `${clusterId} ${node}`;
      const before = newest.get(key);
      const isLater = before !== undefined && (before.incarnation - incarnation || before.number - number) > 0;
      if (!isLater) newest.set(key, { incarnation, number });
      return Promise.resolve(!isLater);
    },
  };
}
