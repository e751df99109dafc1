import type { PlannedTransition, TransitionGraph } from '@systole/cluster';
import type { PlannedSchedule, StoredGraphs, TransactionTables } from '@systole/control-plane';
import type { ClientBase, Pool } from 'pg';

/** Graphs kept in memory: one for each cluster that moves at the time. */
const KEPT = 64;

const STORE = 'UPDATE transitions SET graph = $4, schedule = $5 WHERE cluster_id = $1 AND number = $2 AND digest = $3';
const GRAPH = 'SELECT graph FROM transitions WHERE cluster_id = $1 AND number = $2 AND digest = $3 AND graph IS NOT NULL';

/**
 * Graphs and schedules in the table `transitions`, beside what the projection of the stream writes there. Derived: what is missing is computed
 * again from the stream.
 */
export class PostgresTransitionGraphs implements StoredGraphs {
  private readonly graphs = new Map<string, { readonly digest: string; readonly graph: TransitionGraph }>();

  constructor(private readonly pool: Pool) {}

  async store(clusterId: string, number: number, planned: PlannedSchedule): Promise<void> {
    await storeWith(this.pool, clusterId, number, planned);
    this.remember(clusterId, planned.digest, planned.graph);
  }

  /** The same within a transaction. */
  in(client: ClientBase): TransactionTables['graphs'] {
    return {
      store: async (clusterId, number, planned) => {
        await storeWith(client, clusterId, number, planned);
        // Should the transaction fail, nobody asks for this digest.
        this.remember(clusterId, planned.digest, planned.graph);
      },
    };
  }

  async graphOf(clusterId: string, plan: PlannedTransition): Promise<TransitionGraph | undefined> {
    const known = this.graphs.get(clusterId);
    if (known?.digest === plan.digest) return known.graph;
    const { rows } = await this.pool.query<{ graph: TransitionGraph }>(GRAPH, [clusterId, plan.number, plan.digest]);
    const graph = rows[0]?.graph;
    if (graph) this.remember(clusterId, plan.digest, graph);
    return graph;
  }

  private remember(clusterId: string, digest: string, graph: TransitionGraph): void {
    this.graphs.delete(clusterId);
    this.graphs.set(clusterId, { digest, graph });
    for (const oldest of this.graphs.keys()) {
      if (this.graphs.size <= KEPT) break;
      this.graphs.delete(oldest);
    }
  }
}

async function storeWith(client: ClientBase | Pool, clusterId: string, number: number, planned: PlannedSchedule): Promise<void> {
  await client.query(STORE, [clusterId, number, planned.digest, planned.graphJson, planned.scheduleJson]);
}
