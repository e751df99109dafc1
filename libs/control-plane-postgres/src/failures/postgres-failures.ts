import type { AdvanceFailure, AdvanceFailures } from '@systole/control-plane';
import { carriableText } from '@systole/protocol';
import type { Pool } from 'pg';

const NOTE = `
INSERT INTO advance_failures AS known (cluster_id, since, tries, reason) VALUES ($1, clock_timestamp(), 1, $2)
ON CONFLICT (cluster_id) DO UPDATE SET tries = known.tries + 1, reason = excluded.reason`;
const CLEAR = 'DELETE FROM advance_failures WHERE cluster_id = $1';
const ALL = 'SELECT cluster_id, since, tries, reason FROM advance_failures';
const OF_CLUSTER = `${ALL} WHERE cluster_id = $1`;

/** Characters of a reason that are kept. */
const LONGEST_REASON = 2_000;

interface Row {
  readonly cluster_id: string;
  readonly since: Date;
  readonly tries: number;
  readonly reason: string;
}

/** The table `advance_failures`. */
export class PostgresFailures implements AdvanceFailures {
  constructor(private readonly pool: Pool) {}

  async note(clusterId: string, reason: string): Promise<void> {
    await this.pool.query(NOTE, [clusterId, carriableText(reason.slice(0, LONGEST_REASON))]);
  }

  async clear(clusterId: string): Promise<void> {
    await this.pool.query(CLEAR, [clusterId]);
  }

  async of(clusterId: string): Promise<AdvanceFailure | undefined> {
    const { rows } = await this.pool.query<Row>({ name: 'systole-advance-failure', text: OF_CLUSTER, values: [clusterId] });
    return rows.map(failureOf)[0];
  }

  async all(): Promise<readonly AdvanceFailure[]> {
    const { rows } = await this.pool.query<Row>(ALL);
    return rows.map(failureOf);
  }
}

function failureOf({ cluster_id: clusterId, since, tries, reason }: Row): AdvanceFailure {
  return { clusterId, since: since.toISOString(), tries, reason };
}
