import type { ClientBase, Pool, QueryConfig } from 'pg';
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
  const rows = await run(pool, streamId, batches);
  return rows.map((row, index) => outcome(streamId, row, batches[index]?.expectedVersion ?? 0));
}

/** The same for one batch inside the caller's transaction. */
export async function appendBatchIn(client: ClientBase, streamId: string, batch: AppendBatch): Promise<AppendResult | VersionConflict> {
  return onlyOutcome(streamId, batch, await run(client, streamId, [batch]));
}

/** The statement that appends. Its result is for {@link onlyOutcome} where it appends one batch. */
export function appendQuery(streamId: string, batches: readonly AppendBatch[]): QueryConfig {
  const values = [
    streamId,
    batches.map((batch) => batch.expectedVersion),
    batches.map((batch) => batch.drafts.length),
    joinDrafts(batches.flatMap((batch) => batch.drafts)),
  ];
  return { name: 'systole-append', text: APPEND, values };
}

export function onlyOutcome(streamId: string, batch: AppendBatch, [row]: readonly AppendRow[]): AppendResult | VersionConflict {
  if (row === undefined) throw new Error('append_events gave no row for the batch: the schema does not fit this release');
  return outcome(streamId, row, batch.expectedVersion ?? 0);
}

async function run(connection: Pool | ClientBase, streamId: string, batches: readonly AppendBatch[]): Promise<readonly AppendRow[]> {
  try {
    const { rows } = await connection.query<AppendRow>(appendQuery(streamId, batches));
    return rows;
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
