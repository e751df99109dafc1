import type { ClientBase, Pool } from 'pg';
import { storeError, VersionConflict } from '../errors.js';
import type { AppendResult } from '../event.js';
import { APPEND, type AppendRow } from './append-statements.js';
import { joinDrafts } from './canonical-event.js';

/** The events of one append, ready to be stored. */
export interface AppendBatch {
  /** Null: any version. */
  readonly expectedVersion: number | null;
  readonly drafts: readonly string[];
}

/**
 * Appends batches to a stream in one round trip and one transaction. A batch whose expected version is not the stream's is refused without
 * harm to the others.
 *
 * @returns for each batch, what was appended or the conflict
 * @throws {StoreUnavailable | SchemaMissing | TransactionMustRestart}
 */
export async function appendBatches(
  pool: Pool,
  streamId: string,
  batches: readonly AppendBatch[],
): Promise<(AppendResult | VersionConflict)[]> {
  return run(pool, streamId, batches);
}

/** The same for one batch inside the caller's transaction. */
export async function appendBatchIn(client: ClientBase, streamId: string, batch: AppendBatch): Promise<AppendResult | VersionConflict> {
  const [outcome] = await run(client, streamId, [batch]);
  if (outcome === undefined) throw new Error('append_events gave no row for the batch: the schema does not fit this release');
  return outcome;
}

async function run(
  connection: Pool | ClientBase,
  streamId: string,
  batches: readonly AppendBatch[],
): Promise<(AppendResult | VersionConflict)[]> {
  const values = [
    streamId,
    batches.map((batch) => batch.expectedVersion),
    batches.map((batch) => batch.drafts.length),
    joinDrafts(batches.flatMap((batch) => batch.drafts)),
  ];
  try {
    const { rows } = await connection.query<AppendRow>({ name: 'systole-append', text: APPEND, values });
    return rows.map((row, index) => outcome(streamId, row, batches[index]?.expectedVersion ?? 0));
  } catch (error) {
    throw storeError(error, 'append');
  }
}

function outcome(streamId: string, row: AppendRow, expected: number): AppendResult | VersionConflict {
  if (row.first_version === null || row.last_version === null || row.global_positions === null) {
    return new VersionConflict(streamId, expected, Number(row.actual_version));
  }
  return {
    streamId,
    firstVersion: Number(row.first_version),
    lastVersion: Number(row.last_version),
    globalPositions: row.global_positions.map(Number),
    occurredAt: row.recorded_at,
  };
}
