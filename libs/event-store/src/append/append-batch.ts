import type { ClientBase, Pool, QueryConfig, QueryResult } from 'pg';
import { eventHash } from '../chain/event-hash.js';
import { storeError, TransactionMustRestart, VersionConflict } from '../errors.js';
import type { AppendResult } from '../event.js';
import { APPEND, type AppendRow } from './append-statements.js';
import { completedDraft, joinDrafts } from './canonical-event.js';

/** Times that an append in a transaction of its own begins anew. */
const ATTEMPTS = 5;

/** The events of one append, ready to be stored. */
export interface AppendBatch {
  /** Null: any version. */
  readonly expectedVersion: number | null;
  readonly drafts: readonly string[];
}

/** A statement that appends, and what its result says. */
export interface Appending {
  readonly query: QueryConfig;
  /** @throws {VersionConflict} nothing was appended */
  readonly read: (result: Pick<QueryResult, 'rows'>) => AppendResult;
}

export function appendingBatch(streamId: string, { expectedVersion, drafts }: AppendBatch): Appending {
  return {
    query: { name: 'systole-append', text: APPEND, values: [streamId, [expectedVersion], [drafts.length], joinDrafts(drafts)] },
    read: ({ rows: [row] }) => appended(streamId, row as AppendRow | undefined, expectedVersion ?? 0, drafts),
  };
}

/**
 * Appends in one round trip and a transaction of its own.
 *
 * @throws {VersionConflict}
 * @throws {StoreUnavailable | SchemaMissing | TransactionMustRestart}
 */
export async function appendBatch(pool: Pool, streamId: string, batch: AppendBatch): Promise<AppendResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await appendBatchIn(pool, streamId, batch);
    } catch (error) {
      if (!(error instanceof TransactionMustRestart) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The same inside the caller's transaction. */
export async function appendBatchIn(connection: Pool | ClientBase, streamId: string, batch: AppendBatch): Promise<AppendResult> {
  const { query, read } = appendingBatch(streamId, batch);
  const result = await connection.query(query).catch((error: unknown) => {
    throw storeError(error, 'append');
  });
  return read(result);
}

/** More is not hashed a second time here: whoever waits for this thread would wait for it. */
const MOST_HASHED_CHARS = 1024 * 1024;

function appended(streamId: string, row: AppendRow | undefined, expected: number, drafts: readonly string[]): AppendResult {
  if (row === undefined) throw new Error('append_events gave no row for the batch: the schema does not fit this release');
  if (row.first_version === null || row.last_version === null || row.global_positions === null) {
    throw new VersionConflict(streamId, expected, Number(row.actual_version));
  }
  const firstVersion = Number(row.first_version);
  const { recorded_at: occurredAt } = row;
  return {
    ...{ streamId, firstVersion, lastVersion: Number(row.last_version), globalPositions: row.global_positions.map(Number), occurredAt },
    ...(drafts.reduce((chars, draft) => chars + draft.length, 0) > MOST_HASHED_CHARS
      ? {}
      : {
          hashAfter: (prevHash: string) =>
            drafts.reduce((hash, draft, index) => eventHash(hash, completedDraft(draft, occurredAt, firstVersion + index)), prevHash),
        }),
  };
}
