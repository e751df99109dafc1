/** Channel of the notifications; the payload is `<version>:<stream id>` of one or more streams, separated by RS, in at most 7,999 bytes. */
export const APPEND_CHANNEL = 'systole_events';

/** $1 stream id, $2 expected versions (null: any), $3 batch sizes, $4 drafts. One row for each batch; the programs send one. */
export const APPEND = `
SELECT actual_version, first_version, last_version, global_positions, recorded_at
FROM append_events($1, $2, $3, $4)`;

/** $1 payload. What it tells of is stored already: who listens need not wait for the disk once more. */
export const NOTIFY = `
SELECT set_config('synchronous_commit', 'off', true), pg_notify('${APPEND_CHANNEL}', $1)`;

/** One row of {@link APPEND}; `pg` gives 64-bit integers as text. */
export interface AppendRow {
  readonly actual_version: string;
  readonly first_version: string | null;
  readonly last_version: string | null;
  readonly global_positions: readonly string[] | null;
  /** ISO 8601. */
  readonly recorded_at: string;
}
