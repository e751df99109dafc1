import type { DispatchRecords, DispatchTimes } from '@systole/control-plane';
import { storeError } from '@systole/event-store';
import type { Pool } from 'pg';

/** $1 cluster, $2 action ids or ids of attempts to fence. */
const TIMES = `
SELECT coalesce(payload->'fence'->>'fencingId', action_id) AS id,
  (extract(epoch FROM created_at) * 1000)::double precision AS handed_out_at, (extract(epoch FROM delivered_at) * 1000)::double precision AS delivered_at
FROM action_dispatches
WHERE cluster_id = $1 AND (action_id = ANY ($2::text[]) OR payload->'fence'->>'fencingId' = ANY ($2::text[]))`;

interface Row {
  readonly id: string;
  readonly handed_out_at: number;
  readonly delivered_at: number | null;
}

/** What the table `action_dispatches` says of when. Its rows go with the transition after theirs. */
export class PostgresDispatchRecords implements DispatchRecords {
  constructor(private readonly pool: Pool) {}

  /** @throws what the database says */
  async times(clusterId: string, ids: readonly string[]): Promise<ReadonlyMap<string, DispatchTimes>> {
    const query = { name: 'systole-dispatch-times', text: TIMES, values: [clusterId, ids] };
    const { rows } = await this.pool.query<Row>(query).catch((error: unknown) => {
      throw storeError(error, 'read');
    });
    return new Map(
      rows.map(({ id, handed_out_at: handedOutAt, delivered_at: deliveredAt }) => [
        id,
        { handedOutAt, ...(deliveredAt === null ? {} : { deliveredAt }) },
      ]),
    );
  }
}
