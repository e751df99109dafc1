import type { DispatchRecords, DispatchTimes } from '@systole/control-plane';
import { storeError } from '@systole/event-store';
import type { Pool } from 'pg';

/** $1 cluster, $2 action ids. */
const TIMES = `
SELECT action_id,
  (extract(epoch FROM created_at) * 1000)::double precision AS handed_out_at, (extract(epoch FROM delivered_at) * 1000)::double precision AS delivered_at
FROM action_dispatches
WHERE cluster_id = $1 AND action_id = ANY ($2::text[])`;

interface Row {
  readonly action_id: string;
  readonly handed_out_at: number;
  readonly delivered_at: number | null;
}

/** What the table `action_dispatches` says of when. Its rows go with the transition after theirs. */
export class PostgresDispatchRecords implements DispatchRecords {
  /** @param pool not that of the leases: a look waits where the table is locked */
  constructor(private readonly pool: Pool) {}

  /** @throws what the database says */
  async times(clusterId: string, actionIds: readonly string[]): Promise<ReadonlyMap<string, DispatchTimes>> {
    const query = { name: 'systole-dispatch-times', text: TIMES, values: [clusterId, actionIds] };
    const { rows } = await this.pool.query<Row>(query).catch((error: unknown) => {
      throw storeError(error, 'read');
    });
    return new Map(
      rows.map(({ action_id: id, handed_out_at: handedOutAt, delivered_at: deliveredAt }) => [
        id,
        { handedOutAt, ...(deliveredAt === null ? {} : { deliveredAt }) },
      ]),
    );
  }
}
