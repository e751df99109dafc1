import type { AgentWrites, NumberedWrite } from '@systole/control-plane';
import type { Pool } from 'pg';
import type { Statements } from '../log/statements.js';

/** $1 cluster, $2 node, $3 incarnation, $4 number. Written also where it is the same: the row is held until the transaction ends, so that who puts down a higher one waits for what is being written. */
const BEGIN_WRITE = `
INSERT INTO agent_writes AS newest (cluster_id, node, incarnation, number) VALUES ($1, $2, $3, $4)
ON CONFLICT (cluster_id, node) DO UPDATE SET incarnation = excluded.incarnation, number = excluded.number
WHERE (newest.incarnation, newest.number) <= (excluded.incarnation, excluded.number)`;

/** $1 cluster, $2 node. */
const NEWEST_WRITE = `
SELECT incarnation::text, number::text FROM agent_writes WHERE cluster_id = $1 AND node = $2`;

/** The table `agent_writes`. */
export class PostgresAgentWrites implements AgentWrites {
  constructor(private readonly pool: Pool) {}

  /** What was put down before costs no flush to disk: an agent that gave something up once bears the higher number from then on. */
  async begin(write: NumberedWrite): Promise<boolean> {
    const { clusterId, node, incarnation, number } = write;
    const { rows } = await this.pool.query<{ readonly incarnation: string; readonly number: string }>({
      name: 'systole-newest-agent-write',
      text: NEWEST_WRITE,
      values: [clusterId, node],
    });
    const [newest] = rows;
    const isThere = newest !== undefined && Number(newest.incarnation) === incarnation && Number(newest.number) === number;
    return isThere || agentWritesIn(this.pool).begin(write);
  }

  /** Forgets those of clusters that were deleted. */
  async forgetDeleted(): Promise<void> {
    await this.pool.query(
      'DELETE FROM agent_writes AS newest USING clusters WHERE clusters.id = newest.cluster_id AND clusters.deleted_at IS NOT NULL',
    );
  }
}

/** The same table within a transaction. */
export function agentWritesIn(client: Statements): AgentWrites {
  return {
    begin: async ({ clusterId, node, incarnation, number }) => {
      const values = [clusterId, node, incarnation, number];
      const { rowCount } = await client.query({ name: 'systole-begin-agent-write', text: BEGIN_WRITE, values });
      return rowCount === 1;
    },
  };
}
