import type { PlannedTransition } from '@systole/cluster';
import type { StoredGraphs } from '../ports/transition-graphs.js';
import type { MemoryDatabase } from './memory-database.js';

type Plan = Pick<PlannedTransition, 'number' | 'digest'>;

/** A row of the graphs. */
export interface StoredGraph {
  readonly digest: string;
  readonly graph: Uint8Array;
}

export class MemoryGraphs implements StoredGraphs {
  constructor(private readonly database: MemoryDatabase) {}

  graphOf(clusterId: string, { number, digest }: Plan): Promise<Uint8Array | undefined> {
    const stored = this.database.tables.graphs.get(keyOf(clusterId, number));
    return Promise.resolve(stored?.digest === digest ? stored.graph : undefined);
  }

  store(clusterId: string, { number, digest }: Plan, graph: Uint8Array): Promise<void> {
    this.database.tables.graphs.set(keyOf(clusterId, number), { digest, graph });
    return Promise.resolve();
  }
}

/** Cluster ids hold no blanks. */
function keyOf(clusterId: string, number: number): string {
  return `${clusterId} ${String(number)}`;
}
