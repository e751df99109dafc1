import { clusterNameTaken, type ClusterEvent } from '@systole/cluster';
import { Batch, isOfServer } from '@systole/event-store';
import type { ClientBase, Pool } from 'pg';

/** A cluster as the list shows it. */
export interface ClusterEntry {
  readonly id: string;
  readonly name: string;
  /** Of its stream, at the moment of the question. */
  readonly version: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Another cluster has the name. */
export class ClusterNameTaken extends Error {
  override readonly name = 'ClusterNameTaken';

  constructor(readonly clusterName: string) {
    super(clusterNameTaken(clusterName).message);
  }
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly version: string | null;
  readonly created_at: Date;
}

type Found = Row & { readonly asked: string };

const COLUMNS = `id, name, created_at, (SELECT max(events.version) FROM events WHERE stream_id = id) AS version`;

/** $1 ids or names. Ids win. */
const FIND = `
SELECT given.text AS asked, found.*
FROM unnest($1::text[]) AS given (text)
CROSS JOIN LATERAL (
  SELECT ${COLUMNS} FROM clusters
  WHERE deleted_at IS NULL AND (id = given.text OR name = given.text)
  ORDER BY (id = given.text) DESC
  LIMIT 1) AS found`;

/** Most that are looked for in one query. */
const MOST_LOOK_UPS = 500;

/** $1 name to go on after, $2 limit, $3 ids of those that count, null: all; $4 names of further ones. */
const LIST = `
SELECT ${COLUMNS} FROM clusters
WHERE deleted_at IS NULL AND name > $1 AND ($3::text[] IS NULL OR id = ANY ($3) OR name = ANY ($4))
ORDER BY name
LIMIT $2`;

/** $1 an id or a name. */
const NAMED = `
SELECT id, name, deleted_at IS NOT NULL AS deleted FROM clusters WHERE id = $1 OR name = $1`;

const EVERYTHING = `
SELECT id, name, deleted_at IS NOT NULL AS deleted FROM clusters`;

const HEADS = `
SELECT c.id, (SELECT coalesce(max(version), 0) FROM events e WHERE e.stream_id = c.id)::integer AS version
FROM clusters c
WHERE c.deleted_at IS NULL`;

const ALL_IDS = `
SELECT DISTINCT stream_id AS id FROM events`;

/**
 * $1 limit. From stream to stream by the key, whatever their lengths. The server's own streams (with a slash in their names) have no row; a deleted cluster keeps its own.
 */
const UNLISTED = `
WITH RECURSIVE streams AS (
  (SELECT stream_id FROM events ORDER BY stream_id LIMIT 1)
  UNION ALL
  SELECT (SELECT e.stream_id FROM events e WHERE e.stream_id > streams.stream_id ORDER BY e.stream_id LIMIT 1)
  FROM streams WHERE streams.stream_id IS NOT NULL
)
SELECT stream_id AS id FROM streams
WHERE stream_id NOT LIKE '%/%' AND NOT EXISTS (SELECT FROM clusters WHERE clusters.id = streams.stream_id)
LIMIT $1`;

const CREATED = `
INSERT INTO clusters (id, name, version, created_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO NOTHING`;

const DELETED = `
UPDATE clusters SET deleted_at = $2, version = $3 WHERE id = $1 AND version < $3`;

/** PostgreSQL refuses to be asked for a text that it could not hold. */
function couldBeStored(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The list of clusters: a projection of the ClusterCreated and ClusterDeleted events of all streams, written in their transaction. */
export class ClusterCatalog {
  /** Together: nearly every request names a cluster, and many the same. */
  readonly #lookUps: Batch<string, ClusterEntry | undefined>;

  constructor(private readonly pool: Pool) {
    this.#lookUps = new Batch(async (asked) => {
      const { rows } = await pool.query<Found>({ name: 'systole-find-clusters', text: FIND, values: [[...new Set(asked)]] });
      const found = new Map(rows.map((row) => [row.asked, entryOf(row)]));
      return asked.map((each) => found.get(each));
    }, MOST_LOOK_UPS);
  }

  /** The cluster of that id or name, unless it was deleted. */
  async find(idOrName: string): Promise<ClusterEntry | undefined> {
    return couldBeStored(idOrName) ? this.#lookUps.add(idOrName) : undefined;
  }

  /** In the order of their names, from after a name. @param page.ids only these @param page.names and these */
  async list(page: {
    readonly afterName?: string;
    readonly limit: number;
    readonly ids?: readonly string[] | undefined;
    readonly names?: readonly string[] | undefined;
  }): Promise<readonly ClusterEntry[]> {
    const values = [page.afterName ?? '', page.limit, page.ids ?? null, page.names ?? null];
    const { rows } = await this.pool.query<Row>({ name: 'systole-list-clusters', text: LIST, values });
    return rows.map(entryOf);
  }

  /** All clusters that have, or had, that id or name: a name is free again once its cluster was deleted. */
  async named(idOrName: string): Promise<readonly { readonly id: string; readonly name: string; readonly deleted: boolean }[]> {
    if (!couldBeStored(idOrName)) return [];
    const { rows } = await this.pool.query<{ id: string; name: string; deleted: boolean }>({
      name: 'systole-clusters-named',
      text: NAMED,
      values: [idOrName],
    });
    return rows;
  }

  /** Names of all clusters that there ever were, by id. */
  async names(): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.everything()).map(({ id, name }) => [id, name]));
  }

  /** All clusters that there ever were. */
  async everything(): Promise<readonly { readonly id: string; readonly name: string; readonly deleted: boolean }[]> {
    const { rows } = await this.pool.query<{ id: string; name: string; deleted: boolean }>({
      name: 'systole-all-clusters',
      text: EVERYTHING,
    });
    return rows;
  }

  /** Each cluster with the version that its stream is at. */
  async heads(): Promise<readonly { readonly id: string; readonly version: number }[]> {
    const { rows } = await this.pool.query<{ id: string; version: number }>({ name: 'systole-cluster-heads', text: HEADS });
    return rows;
  }

  /** Ids of all clusters that there ever were. */
  async streamIds(): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(ALL_IDS);
    return rows.map(({ id }) => id).filter((id) => !isOfServer(id));
  }

  /** Ids of clusters that the event log has and the list has lost, in order. Costs a look at the index of events for each cluster that there is. */
  async unlisted(limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>({ name: 'systole-unlisted-clusters', text: UNLISTED, values: [limit] });
    return rows.map(({ id }) => id);
  }

  /** @throws {ClusterNameTaken} */
  static async project(client: ClientBase, clusterId: string, event: ClusterEvent, version: number, occurredAt: string): Promise<void> {
    if (event.type === 'ClusterCreated') {
      try {
        await client.query({ name: 'systole-cluster-created', text: CREATED, values: [clusterId, event.data.name, version, occurredAt] });
      } catch (error) {
        if (isUniqueViolation(error)) throw new ClusterNameTaken(event.data.name);
        throw error;
      }
    }
    if (event.type === 'ClusterDeleted') {
      await client.query({ name: 'systole-cluster-deleted', text: DELETED, values: [clusterId, occurredAt, version] });
    }
  }

  static async clear(client: ClientBase, clusterId: string): Promise<void> {
    await client.query('DELETE FROM clusters WHERE id = $1', [clusterId]);
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

function entryOf(row: Row): ClusterEntry {
  return { id: row.id, name: row.name, version: Number(row.version ?? 0), createdAt: row.created_at.toISOString() };
}
