import type { PlannedTransition } from '@systole/cluster';
import type { StoredGraphs } from '@systole/control-plane';
import type { Pool } from 'pg';

type Plan = Pick<PlannedTransition, 'number' | 'digest'>;

/** Nobody waits for the disk: what a crash of the database loses is computed again. */
const STORE = `
WITH commit AS (SELECT set_config('synchronous_commit', 'off', true))
UPDATE transitions SET packed_graph = $4 FROM commit WHERE cluster_id = $1 AND number = $2 AND digest = $3`;
const GRAPH =
  'SELECT packed_graph AS graph FROM transitions WHERE cluster_id = $1 AND number = $2 AND digest = $3 AND packed_graph IS NOT NULL';

/** Graphs in the table `transitions`, beside what the projection of the stream writes there. Derived: what is missing is computed again from the stream. */
export class PostgresTransitionGraphs implements StoredGraphs {
  constructor(private readonly pool: Pool) {}

  async store(clusterId: string, { number, digest }: Plan, graph: Uint8Array): Promise<void> {
    const values = [clusterId, number, digest, Buffer.from(graph.buffer, graph.byteOffset, graph.byteLength)];
    await this.pool.query({ name: 'systole-store-graph', text: STORE, values });
  }

  async graphOf(clusterId: string, { number, digest }: Plan): Promise<Uint8Array | undefined> {
    const { rows } = await this.pool.query<{ graph: Buffer }>({ name: 'systole-graph', text: GRAPH, values: [clusterId, number, digest] });
    return rows[0]?.graph;
  }
}
