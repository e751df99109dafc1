import type { ClientBase, QueryConfig } from 'pg';

/**
 * The lock that an append to the stream holds until it commits (migration of the event store), shared: while it is held the stream does not
 * grow, and others who hold it so do not wait for one another.
 */
const HOLD = `
SELECT pg_advisory_xact_lock_shared(1398362964, hashtext($1))`;

/** The same lock as an append takes it. */
const LOCK = `
SELECT pg_advisory_xact_lock(1398362964, hashtext($1))`;

/** After the lock, in a statement of its own: its snapshot sees what was appended while the lock was waited for. */
const HEAD = `
SELECT coalesce(max(version), 0)::float8 AS version FROM events WHERE stream_id = $1`;

/** Keeps a stream from growing until the transaction ends: what is read after it, in a statement of its own, ends with the head. */
export function holdStreamQuery(streamId: string): QueryConfig {
  return { name: 'systole-hold-stream', text: HOLD, values: [streamId] };
}

/** Keeps a stream from growing until the transaction ends. @returns whether it is at that version */
export async function holdStreamAt(client: ClientBase, streamId: string, version: number): Promise<boolean> {
  await client.query(holdStreamQuery(streamId));
  const { rows } = await client.query<{ version: number }>({ name: 'systole-stream-version', text: HEAD, values: [streamId] });
  return rows[0]?.version === version;
}

/** Takes the lock of an append before anything else is locked: rows that others need must not be held while the stream is waited for. */
export async function lockStream(client: ClientBase, streamId: string): Promise<void> {
  await client.query({ name: 'systole-lock-stream', text: LOCK, values: [streamId] });
}
