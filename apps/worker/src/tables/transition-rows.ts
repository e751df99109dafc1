import type { PlannedTransition } from '@systole/cluster';
import type { TransitionGraph } from '@systole/scheduler';
import type { ClientBase, Pool } from 'pg';
import type { PlannedSchedule } from '../scheduling/schedule-message.js';

/** Graphs kept in memory: one for each cluster that moves at the time. */
const KEPT = 64;

const STORE = 'UPDATE transitions SET graph = $4, schedule = $5 WHERE cluster_id = $1 AND number = $2 AND digest = $3';
const GRAPH = 'SELECT graph FROM transitions WHERE cluster_id = $1 AND number = $2 AND digest = $3 AND graph IS NOT NULL';

/**
 * Graphs and schedules in the table `transitions`, beside what the projection of the stream writes there. Derived: what is missing is computed
 * again from the stream.
 */
export class TransitionRows {
  private readonly graphs = new Map<string, { readonly digest: string; readonly graph: TransitionGraph }>();

  constructor(private readonly pool: Pool) {}

  /** @param client of the transaction that appends TransitionPlanned, when there is one */
  async store(clusterId: string, number: number, planned: PlannedSchedule, client: ClientBase | Pool = this.pool): Promise<void> {
    await client.query(STORE, [clusterId, number, planned.digest, planned.graphJson, planned.scheduleJson]);
    this.remember(clusterId, planned.digest, planned.graph);
  }

  /** The graph of a transition, when it is there and is the one that was planned. */
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
