import type { PlannedTransition, TransitionGraph } from '@systole/cluster';
import type { TransactionTables } from '../ports/transaction-tables.js';
import type { PlannedSchedule } from '../ports/scheduling.js';
import type { StoredGraphs } from '../ports/transition-graphs.js';
import type { MemoryDatabase } from './memory-database.js';

/** A row of the graphs. */
export type StoredGraph = Pick<PlannedSchedule, 'digest' | 'graph'>;

export class MemoryGraphs implements StoredGraphs {
  constructor(private readonly database: MemoryDatabase) {}

  graphOf(clusterId: string, { number, digest }: PlannedTransition): Promise<TransitionGraph | undefined> {
    const stored = this.database.tables.graphs.get(keyOf(clusterId, number));
    return Promise.resolve(stored?.digest === digest ? stored.graph : undefined);
  }

  store(clusterId: string, number: number, planned: PlannedSchedule): Promise<void> {
    return memoryGraphsIn(this.database.tables.graphs).store(clusterId, number, planned);
  }
}

/** The rows as a transaction changes them. */
export function memoryGraphsIn(graphs: Map<string, StoredGraph>): TransactionTables['graphs'] {
  return {
    store: (clusterId, number, { digest, graph }) => {
      graphs.set(keyOf(clusterId, number), { digest, graph });
      return Promise.resolve();
    },
  };
}

/** Cluster ids hold no blanks. */
function keyOf(clusterId: string, number: number): string {
  return `${clusterId} ${String(number)}`;
}
