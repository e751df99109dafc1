import { setTimeout as sleep } from 'node:timers/promises';
import { storeError, StoreUnavailable } from '@systole/event-store';
import type { Pool } from 'pg';

/** A lock that was not renewed for so long is of a process that died: its request may be tried again. */
const LOCK_MS = 15_000;
/** Renewals within that time; several may be lost. */
const RENEWALS = 5;
/** How often it is tried to say how a request ended while the database is away, and for how long, ms: whoever asks later finds the key's lock over. */
const SAY_END_EVERY_MS = 1_000;
const SAY_END_FOR_MS = 600_000;
/** How long an answer is given again. */
const KEEP_HOURS = 24;

/** An answer that is given again. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type KeyState =
  /** Do it, then finish, release or abandon the claim. `repeated`: an earlier attempt ended without saying how, so it may have been done. */
  { readonly state: 'begun'; readonly claim: KeyClaim; readonly repeated: boolean } | KnownKey;

/** What is known of a request by its key alone. */
export type SeenKey =
  | KnownKey
  /** No such request has come, or what came was refused, or that is long ago. */
  | { readonly state: 'none' }
  /** It ended without saying how, so it may have been done. */
  | { readonly state: 'unknown' };

type KnownKey =
  /** It was done. */
  | { readonly state: 'done'; readonly answer: StoredAnswer }
  /** It is being done. */
  | { readonly state: 'running' }
  /** The key was used for another request. */
  | { readonly state: 'mismatch' }
  /** The key was used for the same request, of another cluster: the name that it was asked by is another one's now. */
  | { readonly state: 'other-cluster' };

interface Row {
  readonly same: boolean;
  readonly same_cluster: boolean;
  readonly locked: boolean;
  readonly kept: boolean;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string | null;
}

/**
 * $1 token, $2 key, $3 sha256 of the request, $4 id of its cluster or null, $5 how long a lock holds, ms. Takes the key if it is free, or the lock of the same request is over.
 */
const BEGIN = `
INSERT INTO idempotency_keys (token_id, key, request_sha256, cluster_id) VALUES ($1, $2, $3, $4)
ON CONFLICT (token_id, key) DO UPDATE SET locked_at = clock_timestamp(), request_sha256 = excluded.request_sha256,
  cluster_id = coalesce(excluded.cluster_id, idempotency_keys.cluster_id), status = NULL, headers = NULL, body = NULL
WHERE (idempotency_keys.status IS NULL AND idempotency_keys.locked_at < clock_timestamp() - $5 * interval '1 ms'
    AND idempotency_keys.request_sha256 = excluded.request_sha256
    AND coalesce(idempotency_keys.cluster_id = excluded.cluster_id, true))
   OR idempotency_keys.locked_at < clock_timestamp() - ${KEEP_HOURS} * interval '1 h'
RETURNING locked_at::text, xmax <> 0 AND coalesce((SELECT earlier.status IS NULL FROM idempotency_keys AS earlier
  WHERE earlier.token_id = $1 AND earlier.key = $2), true) AS taken_over`;

/** As {@link BEGIN}, and changes nothing. Where one of them is of no cluster, or that is deleted, nothing is to be told apart. */
const READ = `
SELECT request_sha256 = $3 AS same, coalesce(cluster_id = $4, true) AS same_cluster, status, headers, body,
  locked_at >= clock_timestamp() - $5 * interval '1 ms' AS locked, locked_at >= clock_timestamp() - ${KEEP_HOURS} * interval '1 h' AS kept
FROM idempotency_keys WHERE token_id = $1 AND key = $2`;

/** $3 when it was locked: another time means that somebody else has taken it over. */
const RENEW = `
UPDATE idempotency_keys SET locked_at = clock_timestamp()
WHERE token_id = $1 AND key = $2 AND locked_at = $3::timestamptz AND status IS NULL
RETURNING locked_at::text`;

/** The answer's day begins now. */
const FINISH = `
UPDATE idempotency_keys SET locked_at = clock_timestamp(), status = $4, headers = $5, body = $6
WHERE token_id = $1 AND key = $2 AND locked_at = $3::timestamptz AND status IS NULL`;

const RELEASE = `
DELETE FROM idempotency_keys WHERE token_id = $1 AND key = $2 AND locked_at = $3::timestamptz AND status IS NULL`;

/** $4 how long a lock holds, ms: it is over, and what became of the request is still not known. */
const LAPSE = `
UPDATE idempotency_keys SET locked_at = locked_at - $4 * interval '1 ms'
WHERE token_id = $1 AND key = $2 AND locked_at = $3::timestamptz AND status IS NULL`;

const FORGET = `
DELETE FROM idempotency_keys WHERE locked_at < clock_timestamp() - ${KEEP_HOURS} * interval '1 h'`;

interface Locked {
  readonly locked_at: string;
}

/** The keys with which clients make a repeated write safe; each belongs to one token. */
export class IdempotencyKeys {
  readonly #lockMs: number;

  /** @param options.lockMs after how long without renewal a lock is over, ms; default 15,000 */
  constructor(
    private readonly pool: Pool,
    options: { readonly lockMs?: number } = {},
  ) {
    this.#lockMs = options.lockMs ?? LOCK_MS;
  }

  /**
   * A key that was begun stays locked for as long as this process lives and the claim is neither finished nor released.
   *
   * @param clusterId of the cluster that the request is about; undefined when it is about none, or that is deleted
   */
  async begin(tokenId: string, key: string, requestSha256: Buffer, clusterId?: string): Promise<KeyState> {
    const values = [tokenId, key, requestSha256, clusterId ?? null, this.#lockMs];
    const { rows: begun } = await this.pool.query<Locked & { readonly taken_over: boolean }>(BEGIN, values);
    if (begun[0] !== undefined) {
      const claim = new KeyClaim(this.pool, [tokenId, key], begun[0].locked_at, this.#lockMs);
      return { state: 'begun', claim, repeated: begun[0].taken_over };
    }
    const { rows } = await this.pool.query<Row>(READ, values);
    const [row] = rows;
    // Released in between: the first attempt failed, so the client may try again.
    return row === undefined ? { state: 'running' } : knownOf(row);
  }

  /** What is known of a request, as {@link begin} takes it; takes nothing from whoever works on it, or is about to say how it ended. */
  async look(tokenId: string, key: string, requestSha256: Buffer, clusterId?: string): Promise<SeenKey> {
    const { rows } = await this.pool.query<Row>(READ, [tokenId, key, requestSha256, clusterId ?? null, this.#lockMs]);
    const [row] = rows;
    if (!row?.kept) return { state: 'none' };
    const known = knownOf(row);
    return known.state === 'running' && !row.locked ? { state: 'unknown' } : known;
  }

  /** Deletes answers that are no longer given. */
  async forgetOld(): Promise<void> {
    await this.pool.query(FORGET);
  }
}

/** The right to do a key's request. Renews its lock by itself, by the database's clock, until it is finished or released. */
export class KeyClaim {
  readonly #renewing: NodeJS.Timeout;
  /** The renewal that is under way; the end waits for it, because each changes `lockedAt`. */
  #renewal: Promise<void> = Promise.resolve();
  #lockedAt: string;

  constructor(
    private readonly pool: Pool,
    private readonly owner: readonly [tokenId: string, key: string],
    lockedAt: string,
    private readonly lockMs: number,
  ) {
    this.#lockedAt = lockedAt;
    this.#renewing = setInterval(() => {
      this.#renewal = this.#renewal.then(() => this.#renew());
    }, lockMs / RENEWALS);
    this.#renewing.unref();
  }

  /** Keeps the answer for a day. Keeps nothing when the lock was lost to another attempt. */
  async finish(answer: StoredAnswer): Promise<void> {
    await this.#end(FINISH, [answer.status, JSON.stringify(answer.headers), answer.body]);
  }

  /** Frees a key whose request changed nothing (it was refused, or broke). */
  async release(): Promise<void> {
    await this.#end(RELEASE, []);
  }

  /** Ends the lock: nobody knows whether the request was done, and the next attempt has to look. */
  async abandon(): Promise<void> {
    await this.#end(LAPSE, [this.lockMs]);
  }

  /**
   * Says how the request ended. Where the database can't hear it now, that is tried again without anybody waiting for it: nothing runs under the key any more.
   *
   * @throws whatever kept the first attempt from it
   */
  async #end(statement: string, values: readonly unknown[]): Promise<void> {
    await this.#stopRenewing();
    const say = () => this.pool.query(statement, [...this.owner, this.#lockedAt, ...values]);
    try {
      await say();
    } catch (error) {
      if (isAway(error)) void sayLater(say);
      throw error;
    }
  }

  async #stopRenewing(): Promise<void> {
    clearInterval(this.#renewing);
    await this.#renewal;
  }

  async #renew(): Promise<void> {
    try {
      const { rows } = await this.pool.query<Locked>(RENEW, [...this.owner, this.#lockedAt]);
      if (rows[0] === undefined) clearInterval(this.#renewing);
      else this.#lockedAt = rows[0].locked_at;
    } catch {
      // The database is away for a moment: the next renewal tries again.
    }
  }
}

function knownOf({ same, same_cluster: sameCluster, status, headers, body }: Row): KnownKey {
  if (!same) return { state: 'mismatch' };
  if (!sameCluster) return { state: 'other-cluster' };
  if (status === null) return { state: 'running' };
  return { state: 'done', answer: { status, headers: headers ?? {}, body: body ?? '' } };
}

function isAway(error: unknown): boolean {
  return storeError(error, 'append') instanceof StoreUnavailable;
}

async function sayLater(say: () => Promise<unknown>): Promise<void> {
  for (const until = performance.now() + SAY_END_FOR_MS; performance.now() < until;) {
    await sleep(SAY_END_EVERY_MS, undefined, { ref: false });
    const over = await say().then(
      () => true,
      (error: unknown) => !isAway(error),
    );
    if (over) return;
  }
}
