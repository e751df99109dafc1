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

/**
 * One lock for all streams (the class is 'SYHO'), taken before that of the stream: so those who wait for a held stream wait for one holder at most, and use up nobody's
 * pool. What idles on it for longer than $1, ms, is ended by the server.
 */
const BEGIN_HOLD = `
SELECT pg_try_advisory_xact_lock(1398360143, 0) AS free, set_config('idle_in_transaction_session_timeout', $1, true)`;

const LIMIT_IDLING = `
SELECT set_config('idle_in_transaction_session_timeout', $1, true)`;

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

/**
 * Keeps all others from appending to a stream, and from holding any stream so, until the transaction ends. Whoever waits for a stream waits 10 s: a process that is frozen
 * in the midst of it must be done with by then.
 *
 * @param idleMs after which the server ends the transaction when it hears nothing
 * @returns false when another stream is held so; then nothing is locked
 */
export async function beginHold(client: ClientBase, streamId: string, idleMs: number): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>({ name: 'systole-begin-hold', text: BEGIN_HOLD, values: [String(idleMs)] });
  if (rows[0]?.free !== true) return false;
  await lockStream(client, streamId);
  return true;
}

/** For the rest of the transaction. @param idleMs after which the server ends it when it hears nothing; a second at least */
export async function limitIdling(client: ClientBase, idleMs: number): Promise<void> {
  await client.query({ name: 'systole-limit-idling', text: LIMIT_IDLING, values: [String(Math.max(1_000, Math.ceil(idleMs)))] });
}
