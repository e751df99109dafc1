import type { Pool } from 'pg';

/** After so long a request that never ended (its process died) may be tried again, and an answer is forgotten. */
const LOCK_SECONDS = 60;
const KEEP_HOURS = 24;

/** An answer that is given again. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type KeyState =
  /** The request is new: do it, then `finish` or `release`. */
  | { readonly state: 'begun' }
  /** It was done. */
  | { readonly state: 'done'; readonly answer: StoredAnswer }
  /** It is being done. */
  | { readonly state: 'running' }
  /** The key was used for another request. */
  | { readonly state: 'mismatch' };

interface Row {
  readonly same: boolean;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string | null;
}

/** $1 token, $2 key, $3 sha256 of the request. Takes the key if it is free or its lock is over. */
const BEGIN = `
INSERT INTO idempotency_keys (token_id, key, request_sha256) VALUES ($1, $2, $3)
ON CONFLICT (token_id, key) DO UPDATE SET locked_at = clock_timestamp(), request_sha256 = excluded.request_sha256, status = NULL, headers = NULL, body = NULL
WHERE (idempotency_keys.status IS NULL AND idempotency_keys.locked_at < clock_timestamp() - ${LOCK_SECONDS} * interval '1 s')
   OR idempotency_keys.locked_at < clock_timestamp() - ${KEEP_HOURS} * interval '1 h'
RETURNING true AS begun`;

const READ = `
SELECT request_sha256 = $3 AS same, status, headers, body FROM idempotency_keys WHERE token_id = $1 AND key = $2`;

const FINISH = `
UPDATE idempotency_keys SET status = $3, headers = $4, body = $5 WHERE token_id = $1 AND key = $2`;

const RELEASE = `
DELETE FROM idempotency_keys WHERE token_id = $1 AND key = $2 AND status IS NULL`;

const FORGET = `
DELETE FROM idempotency_keys WHERE locked_at < clock_timestamp() - ${KEEP_HOURS} * interval '1 h'`;

/** The keys with which clients make a repeated POST safe; each belongs to one token. */
export class IdempotencyKeys {
  constructor(private readonly pool: Pool) {}

  async begin(tokenId: string, key: string, requestSha256: Buffer): Promise<KeyState> {
    const values = [tokenId, key, requestSha256];
    if ((await this.pool.query(BEGIN, values)).rowCount === 1) return { state: 'begun' };
    const { rows } = await this.pool.query<Row>(READ, values);
    const [row] = rows;
    // Released in between: the first attempt failed, so the client may try again.
    if (row === undefined) return { state: 'running' };
    if (!row.same) return { state: 'mismatch' };
    if (row.status === null) return { state: 'running' };
    return { state: 'done', answer: { status: row.status, headers: row.headers ?? {}, body: row.body ?? '' } };
  }

  async finish(tokenId: string, key: string, answer: StoredAnswer): Promise<void> {
    await this.pool.query(FINISH, [tokenId, key, answer.status, JSON.stringify(answer.headers), answer.body]);
  }

  /** Frees a key whose request changed nothing (it was refused, or broke). */
  async release(tokenId: string, key: string): Promise<void> {
    await this.pool.query(RELEASE, [tokenId, key]);
  }

  /** Deletes answers that are no longer given. */
  async forgetOld(): Promise<void> {
    await this.pool.query(FORGET);
  }
}
