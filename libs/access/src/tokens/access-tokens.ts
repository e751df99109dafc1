import { hash, randomBytes, randomUUID } from 'node:crypto';
import { Batch, inTransaction, type AppendMeta } from '@systole/event-store';
import type { Pool, PoolClient } from 'pg';
import { appendAudit } from '../audit/append-audit.js';
import { AUDIT_STREAM } from '../audit/audit-event.js';

export type OperatorRole = 'viewer' | 'operator' | 'admin';

/** A person or program with a role, and how far it goes. */
export interface OperatorHolder {
  readonly role: OperatorRole;
  /** Ids of the clusters that it may act in; absent: in all, and on the server itself. */
  readonly clusters?: readonly string[];
  readonly seesSecrets: boolean;
  /** ISO 8601; absent: it does not end by itself. */
  readonly expiresAt?: string;
}

/** Who holds a token: a person or program, or the agent of one node of one cluster, whose token lasts until it is revoked. */
export type TokenHolder = OperatorHolder | AgentHolder;

export interface AgentHolder {
  readonly role: 'agent';
  readonly clusterId: string;
  readonly node: string;
  /** In which container of a bundle the agent is, which its host had the token made for: it ends with that. */
  readonly container?: ContainerPlace;
}

/** A container of a bundle on a host. */
export interface ContainerPlace {
  /** Name of the node. */
  readonly host: string;
  /** Id of the resource that the container is. */
  readonly resource: string;
}

/** The agent in a container. */
export type ContainerHolder = AgentHolder & { readonly container: ContainerPlace };

/** What is known of a token by whoever holds its secret. */
export type HeldToken = TokenHolder & {
  readonly id: string;
  /** For people: who or what it was made for. */
  readonly name: string;
  readonly createdBy: string;
};

export type AccessToken = HeldToken & {
  /** ISO 8601. */
  readonly createdAt: string;
};

interface Row {
  readonly id: string;
  readonly role: OperatorRole | 'agent';
  readonly cluster_id: string | null;
  readonly node: string | null;
  readonly name: string;
  readonly created_by: string;
  readonly clusters: readonly string[] | null;
  readonly sees_secrets: boolean;
  readonly expires_at: Date | null;
  readonly container_host: string | null;
  readonly container: string | null;
  readonly created_at: Date;
}

/** A row for each that was found; one without a token when none was. */
type Found = Omit<Row, 'created_at'> & { readonly digest: string | null; readonly lost: boolean };

/** When it was made is asked for apart: a date takes as long to read as the rest. */
const HELD_COLUMNS = 'id, role, cluster_id, node, name, created_by, clusters, sees_secrets, expires_at, container_host, container';
/** One that was found among those that are over. */
type FoundEnded = Omit<Row, 'created_at'> & { readonly digest: string };

/** What is good for something now, by the database's clock, which is one for all servers. */
const VALID = 'tokens.revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > now())';
const COLUMNS = `${HELD_COLUMNS}, created_at`;

const INSERT = `
INSERT INTO tokens (id, role, cluster_id, node, name, sha256, created_by, clusters, sees_secrets, expires_at, container_host, container)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT DO NOTHING
RETURNING ${COLUMNS}`;

/** The name of one that has ended by itself is free again. */
const FREE_NAME = `
UPDATE tokens SET revoked_at = expires_at WHERE name = $1 AND role <> 'agent' AND revoked_at IS NULL AND expires_at <= now()`;

const NAME_TAKEN = `
SELECT EXISTS (SELECT FROM tokens WHERE name = $1 AND role <> 'agent' AND ${VALID}) AS present`;

const IS_KNOWN = `
SELECT EXISTS (SELECT FROM tokens WHERE id = $1 OR sha256 = $2) AS present`;

/**
 * Rows are never deleted, and no server serves before there is one: without any they were lost. So were those of the agents when none is left of nodes that have joined.
 */
const LOST = `
SELECT NOT EXISTS (SELECT FROM tokens WHERE role = 'agent')
  AND (NOT EXISTS (SELECT FROM tokens)
    OR EXISTS (SELECT FROM clusters JOIN events ON events.stream_id = clusters.id AND events.type = 'NodeJoined')) AS lost`;

/**
 * The index is searched for hashes that the caller can't steer, so the time that it takes tells nothing about any token. Whether tokens were lost is asked in
 * the same statement: between two of them they may be emptied, or put back.
 */
const FIND = `
SELECT ${HELD_COLUMNS}, encode(sha256, 'hex') AS digest, lost
FROM (${LOST}) AS state LEFT JOIN tokens ON sha256 = ANY ($1) AND ${VALID}`;

/** As {@link FIND}: who had what is good for nothing any more. */
const FIND_ENDED = `
SELECT ${HELD_COLUMNS}, encode(sha256, 'hex') AS digest FROM tokens WHERE sha256 = ANY ($1) AND NOT (${VALID})`;

const NOT_VALID = `
SELECT id FROM unnest($1::text[]) AS given (id)
WHERE NOT EXISTS (SELECT FROM tokens WHERE tokens.id = given.id AND ${VALID})`;

const LIST = `
SELECT ${COLUMNS} FROM tokens WHERE ${VALID} AND id > $1 ORDER BY id LIMIT $2`;

const GET = `
SELECT ${COLUMNS} FROM tokens WHERE id = $1 AND ${VALID}`;

const OF_NODE = `
SELECT id FROM tokens WHERE cluster_id = $1 AND node = $2 AND ${VALID} ORDER BY id`;

/** $1 cluster, $2 node, $3 token. Not what was made after that one: it is of a later start. */
const BEFORE = `
SELECT id FROM tokens
WHERE cluster_id = $1 AND node = $2 AND id <> $3 AND created_at <= (SELECT created_at FROM tokens AS made WHERE made.id = $3) AND ${VALID}
ORDER BY id FOR UPDATE`;

/** $1 cluster, $2 host, $3 container or null for all, $4 all but these. */
const OF_CONTAINERS = `
SELECT id FROM tokens
WHERE cluster_id = $1 AND container_host = $2 AND ($3::text IS NULL OR container = $3) AND container <> ALL ($4) AND ${VALID}
ORDER BY id FOR UPDATE`;

const REVOKE = `
UPDATE tokens SET revoked_at = clock_timestamp() WHERE id = $1 AND ${VALID} RETURNING ${COLUMNS}`;

/** What ever was done was done with a token; that a server was started was not. One for some clusters only can make no other. */
const NEEDS_ADMIN = `
SELECT NOT EXISTS (SELECT FROM tokens WHERE role = 'admin' AND clusters IS NULL AND ${VALID})
  AND (EXISTS (SELECT FROM tokens)
    OR NOT EXISTS (SELECT FROM events WHERE NOT (stream_id = '${AUDIT_STREAM}' AND type IN ('ServerStarted', 'ServerStopped')))) AS needed`;

/** ASCII `TOKN`. */
const FIRST_TOKEN_LOCK = 0x54_4f_4b_4e;

/** sha256 of a token as it is stored and searched. */
function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** A new secret: 256 random bits. The prefix lets scanners of leaked secrets recognise it. */
function newSecret(): string {
  return `systole_${randomBytes(32).toString('base64url')}`;
}

/** Most tokens that are looked for in one query. */
const MOST_LOOK_UPS = 500;

/** Who makes or revokes a token. */
export interface TokenChanger {
  readonly actor: string;
  /** Of the request; the token's id when left out. */
  readonly correlationId?: string;
  /** Why; kept in the audit. */
  readonly reason?: string;
}

/** A token that was just made, and its secret. */
export interface MadeToken {
  readonly token: AccessToken;
  readonly secret: string;
}

/** What a token that is not found says nothing about: there are none, or none of agents, where there were some. */
export class TokensLost extends Error {
  override readonly name = 'TokensLost';

  constructor() {
    super(
      'the tokens of this installation, or all of its agents, were lost (table tokens): restore that table from a backup, in one transaction, and everything goes on by itself. An admin token is made anew by SYSTOLE_ADMIN_TOKEN, or --new-admin-token',
    );
  }
}

/** A valid token of somebody else has the name. */
export class TokenNameTaken extends Error {
  override readonly name = 'TokenNameTaken';

  constructor(readonly tokenName: string) {
    super(`there is a token ${tokenName} already: events name who did something by it; choose another name, or revoke that token`);
  }
}

/** Bearer tokens. Only their sha256 is stored; the secret is shown once, when it is made. */
export class AccessTokens {
  /** Together, so that a flood of wrong ones costs few queries. */
  readonly #lookUps: Batch<Buffer, HeldToken | 'lost' | undefined>;
  readonly #endedLookUps: Batch<Buffer, HeldToken | undefined>;

  constructor(private readonly pool: Pool) {
    this.#lookUps = new Batch(async (digests) => {
      const { rows } = await pool.query<Found>({ name: 'systole-find-tokens', text: FIND, values: [digests] });
      const found = new Map(rows.flatMap((row) => (row.digest === null ? [] : [[row.digest, heldOf(row)] as const])));
      const missing = rows.some((row) => row.lost) ? 'lost' : undefined;
      return digests.map((digest) => found.get(digest.toString('hex')) ?? missing);
    }, MOST_LOOK_UPS);
    this.#endedLookUps = new Batch(async (digests) => {
      const { rows } = await pool.query<FoundEnded>({ name: 'systole-find-ended-tokens', text: FIND_ENDED, values: [digests] });
      const found = new Map(rows.map((row) => [row.digest, heldOf(row)] as const));
      return digests.map((digest) => found.get(digest.toString('hex')));
    }, MOST_LOOK_UPS);
  }

  /** @returns the token and its secret, which nobody can get again */
  async create(holder: TokenHolder, name: string, createdBy: string): Promise<MadeToken> {
    const made = await this.createOnce(randomUUID(), holder, name, { actor: createdBy });
    if (made === 'name-taken') throw new TokenNameTaken(name);
    if (made === 'made-before') throw new Error('two random tokens were the same: the random number generator is broken');
    return made;
  }

  /**
   * For requests that may be sent again.
   *
   * @param id of the token, a UUID
   * @param by who makes it, by which request
   * @returns `made-before` when a token of that id was made before, whether it is valid still or not; `name-taken` when somebody else's valid token has the name
   */
  async createOnce(id: string, holder: TokenHolder, name: string, by: TokenChanger): Promise<MadeToken | 'made-before' | 'name-taken'> {
    const secret = newSecret();
    const token = await inTransaction(this.pool, (client) => this.#insert(client, holder, name, by, secret, id));
    return typeof token === 'string' ? token : { token, secret };
  }

  /**
   * A new token for the agent in a container, beside those that its node has.
   *
   * @param by who has it made, by which request
   */
  async createInContainer(holder: ContainerHolder, name: string, by: TokenChanger): Promise<MadeToken> {
    const secret = newSecret();
    const token = await inTransaction(this.pool, (client) => this.#insert(client, holder, name, by, secret));
    if (typeof token === 'string') throw new Error('two random tokens were the same: the random number generator is broken');
    return { token, secret };
  }

  /** Revokes all that the node in a container had before one of its tokens was made. */
  async revokeBefore(tokenId: string, { clusterId, node }: ContainerHolder, by: TokenChanger): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<Pick<Row, 'id'>>(BEFORE, [clusterId, node, tokenId]);
      for (const { id } of rows) await this.#revoke(client, id, by);
    });
  }

  /**
   * Revokes the tokens of agents in containers that are no more.
   *
   * @param client in a transaction, in which it is the last that is done
   * @param ended all that were on the host, but for some, or one
   * @param by by whose doing they have ended, in which request
   */
  async revokeOfContainers(
    client: PoolClient,
    ended: { readonly clusterId: string; readonly host: string; readonly container?: string; readonly but: readonly string[] },
    by: TokenChanger,
  ): Promise<void> {
    const { clusterId, host, container, but } = ended;
    const { rows } = await client.query<Pick<Row, 'id'>>(OF_CONTAINERS, [clusterId, host, container ?? null, but]);
    for (const { id } of rows) await this.#revoke(client, id, { ...by, reason: `the container on ${host} has ended` });
  }

  /** A new administrator of everything, under the first free name. */
  async createAdmin(createdBy: string): Promise<MadeToken> {
    const secret = newSecret();
    const token = await inTransaction(this.pool, (client) => this.#insertAdmin(client, createdBy, secret));
    if (token === undefined) throw new Error('two random tokens were the same: the random number generator is broken');
    return { token, secret };
  }

  /** Whether a valid token of a person or program has the name. */
  async isNameTaken(name: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ present: boolean }>(NAME_TAKEN, [name]);
    return rows[0]?.present === true;
  }

  /**
   * The token with that secret, unless it was revoked or has ended. Looked for in the database each time, so that a revoked token is none from then on.
   *
   * @throws {TokensLost} there is no such token, but it may have been one
   */
  async find(secret: string): Promise<HeldToken | undefined> {
    const found = await this.#lookUps.add(digestOf(secret));
    if (found === 'lost') throw new TokensLost();
    return found;
  }

  /** The token that had that secret until it was revoked or ended by itself: whoever brings it guesses nothing, and is to hear that it is over. */
  async findEnded(secret: string): Promise<HeldToken | undefined> {
    return this.#endedLookUps.add(digestOf(secret));
  }

  /** Whether tokens are not there that must be. */
  async areLost(): Promise<boolean> {
    const { rows } = await this.pool.query<{ lost: boolean }>({ name: 'systole-tokens-lost', text: LOST });
    return rows[0]?.lost === true;
  }

  /** Those of the given ids that were revoked or have ended, or are no tokens: mostly none of very many. For answers that go on for long. */
  async notValid(ids: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<Pick<Row, 'id'>>({ name: 'systole-tokens-not-valid', text: NOT_VALID, values: [ids] });
    return rows.map(({ id }) => id);
  }

  /** Those that are valid, by id. */
  async list(page: { readonly afterId?: string; readonly limit: number }): Promise<readonly AccessToken[]> {
    const { rows } = await this.pool.query<Row>(LIST, [page.afterId ?? '', page.limit]);
    return rows.map(tokenOf);
  }

  /** The token of that id, unless it was revoked or has ended. */
  async get(id: string): Promise<AccessToken | undefined> {
    const { rows } = await this.pool.query<Row>(GET, [id]);
    return rows.map(tokenOf)[0];
  }

  /** Whether the agent of a node of that name has a token that was not revoked. */
  async isForNode(clusterId: string, node: string): Promise<boolean> {
    return (await this.idsForNode(clusterId, node)).length > 0;
  }

  /** Ids of the tokens for the agent of a node of that name that were not revoked. */
  async idsForNode(clusterId: string, node: string): Promise<readonly string[]> {
    const { rows } = await this.pool.query<Pick<Row, 'id'>>(OF_NODE, [clusterId, node]);
    return rows.map(({ id }) => id);
  }

  /** @param by who revokes it, by which request @returns the token that was revoked; undefined when there is no such token */
  async revoke(id: string, by: TokenChanger): Promise<AccessToken | undefined> {
    return inTransaction(this.pool, (client) => this.#revoke(client, id, by));
  }

  /**
   * Sees to it that somebody can administer: stores the given secret as an admin token (if it is not there yet), or makes one when there is
   * no admin token at all, unless tokens were lost: they are to be put back. Safe when several processes start at once.
   *
   * @returns the secret when one was made: show it, it can't be read again
   */
  async ensureAdmin(given?: string): Promise<string | undefined> {
    if (given !== undefined) {
      await inTransaction(this.pool, (client) => this.#insertAdmin(client, 'configuration', given));
      return undefined;
    }
    const client = await this.pool.connect();
    let failed = true;
    try {
      await client.query('SELECT pg_advisory_lock($1)', [FIRST_TOKEN_LOCK]);
      const { rows } = await client.query<{ needed: boolean }>(NEEDS_ADMIN);
      const secret = rows[0]?.needed === true ? newSecret() : undefined;
      if (secret !== undefined) {
        await client.query('BEGIN');
        await this.#insertAdmin(client, 'first start', secret);
        await client.query('COMMIT');
      }
      await client.query('SELECT pg_advisory_unlock($1)', [FIRST_TOKEN_LOCK]);
      failed = false;
      return secret;
    } finally {
      // The lock ends with its connection, too.
      client.release(failed);
    }
  }

  /** With its entry in the audit, or not at all. @param client in a transaction */
  async #revoke(client: PoolClient, id: string, by: TokenChanger): Promise<AccessToken | undefined> {
    const { rows } = await client.query<Row>(REVOKE, [id]);
    const revoked = rows.map(tokenOf)[0];
    if (revoked === undefined) return undefined;
    const data = { tokenId: id, ...because(by) };
    await appendAudit(this.pool, client, { type: 'TokenWithdrawn', data }, metaOf('withdraw-token', id, by));
    return revoked;
  }

  /** With its entry in the audit, or not at all. @param client in a transaction @returns why there is no new token instead */
  async #insert(
    client: PoolClient,
    holder: TokenHolder,
    name: string,
    by: TokenChanger,
    secret: string,
    id: string = randomUUID(),
  ): Promise<AccessToken | 'made-before' | 'name-taken'> {
    const digest = digestOf(secret);
    if (holder.role !== 'agent') await client.query(FREE_NAME, [name]);
    const [place, rights] =
      holder.role === 'agent'
        ? [
            [holder.clusterId, holder.node],
            [null, false, null, holder.container?.host ?? null, holder.container?.resource ?? null],
          ]
        : [
            [null, null],
            [holder.clusters ?? null, holder.seesSecrets, holder.expiresAt ?? null, null, null],
          ];
    const { rows } = await client.query<Row>(INSERT, [id, holder.role, ...place, name, digest, by.actor, ...rights]);
    if (rows[0] === undefined) {
      const known = await client.query<{ present: boolean }>(IS_KNOWN, [id, digest]);
      return known.rows[0]?.present === true ? 'made-before' : 'name-taken';
    }
    const data = { tokenId: id, name, ...holder, ...because(by) };
    await appendAudit(this.pool, client, { type: 'TokenIssued', data }, metaOf('issue-token', id, by));
    return tokenOf(rows[0]);
  }

  /** @returns undefined when a token with that secret was made before, whether it is valid still or not */
  async #insertAdmin(client: PoolClient, createdBy: string, secret: string): Promise<AccessToken | undefined> {
    for (let place = 1; ; place++) {
      const name = place === 1 ? 'admin' : `admin-${String(place)}`;
      const made = await this.#insert(client, { role: 'admin', seesSecrets: true }, name, { actor: createdBy }, secret);
      if (made === 'made-before') return undefined;
      if (made !== 'name-taken') return made;
    }
  }
}

function because({ reason }: TokenChanger): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

function metaOf(command: string, tokenId: string, { actor, correlationId = tokenId }: TokenChanger): AppendMeta {
  return { actor, command, correlationId };
}

function tokenOf(row: Row): AccessToken {
  return { ...heldOf(row), createdAt: row.created_at.toISOString() };
}

function heldOf(row: Omit<Row, 'created_at'>): HeldToken {
  const own = { id: row.id, name: row.name, createdBy: row.created_by };
  if (row.role === 'agent') {
    const { container_host: host, container: resource } = row;
    const container = host === null || resource === null ? {} : { container: { host, resource } };
    return { ...own, role: 'agent', clusterId: row.cluster_id ?? '', node: row.node ?? '', ...container };
  }
  return {
    ...own,
    role: row.role,
    seesSecrets: row.sees_secrets,
    ...(row.clusters === null ? {} : { clusters: row.clusters }),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at.toISOString() }),
  };
}
