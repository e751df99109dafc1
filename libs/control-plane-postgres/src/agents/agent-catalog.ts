import type { AgentDescriptionRequest, AgentName, DescribedAgent, DescribedParameter, InstalledAgent } from '@systole/protocol';
import { LIMITS } from '@systole/protocol';
import type { Pool, PoolClient } from 'pg';

/**
 * Bytes of JSON that the descriptions told by one node may take: sixteen times the XML (0.5 MB) of the 145 agents of Debian's packages that print any. What they take on disk, packed, says nothing: of an agent that repeats itself it is a
 * hundredth, and all of it is unpacked for whoever asks.
 */
const MOST_NODE_BYTES = 8 * 1024 * 1024;
/** The same of all descriptions that cluster nodes of one cluster told: one that tells as much as it may leaves the others room. */
const MOST_BYTES = 24 * 1024 * 1024;
/** The same of a remote node or a guest: four times what all of Debian's take. */
const MOST_REMOTE_NODE_BYTES = 2 * 1024 * 1024;
/** The same of all remote nodes and guests of one cluster, which are less trusted: apart, so that they take no room of cluster nodes. */
const MOST_REMOTE_BYTES = 8 * 1024 * 1024;
/** So often what lost a deadlock is tried. */
const MOST_ATTEMPTS = 3;
/** Clusters whose agents are kept in memory. */
const KEPT = 256;

/** A node that has told which agents it has. */
export interface NodeTelling {
  readonly node: string;
  /** Standards of which it named all. */
  readonly classes: readonly string[];
  /** ISO 8601. */
  readonly toldAt: string;
}

/** An agent as some nodes have it. */
export interface AgentOnNodes extends InstalledAgent {
  /** Names, sorted. */
  readonly nodes: readonly string[];
  /** What it says about itself; absent: not told yet, or `problem`. */
  readonly metadata?: DescribedAgent;
  /** Why that could not be read. */
  readonly problem?: string;
}

/** The nodes of a cluster whose agents may tell which agents they have. */
export interface TellingNodes {
  /** Names of all. */
  readonly all: readonly string[];
  /** Names of those that are cluster nodes: what they tell of a version goes before what remote nodes and guests do. */
  readonly cluster: readonly string[];
}

/** What decides about a parameter, without the words that describe it. */
export type ToldParameter = Pick<
  DescribedParameter,
  'name' | 'required' | 'reloadable' | 'private' | 'deprecated' | 'obsoletes' | 'default'
>;

/** Which parameters an agent takes, in each version that nodes have. */
export interface AgentParameters {
  readonly agent: AgentName;
  /** Undefined for a version that was not described. */
  readonly versions: readonly (readonly ToldParameter[] | undefined)[];
  /** Names of the operations that it has in each version; as `versions`. */
  readonly operations: readonly (readonly string[] | undefined)[];
}

/** What the nodes of a cluster have told. */
export interface ToldAgents {
  /** Standards of which at least one node named all. */
  readonly classes: readonly string[];
  readonly agents: readonly AgentParameters[];
}

/** Which resource and fence agents the nodes of clusters have, and what these say about themselves. */
export class AgentCatalog {
  private readonly known = new Map<string, { readonly version: string; readonly told: ToldAgents }>();

  constructor(private readonly pool: Pool) {}

  /**
   * Puts down what a node has, in the place of what it told before.
   *
   * @param nodes what others have told is forgotten
   * @returns some of those that are to be described
   */
  async tell(
    clusterId: string,
    node: string,
    { classes, agents }: { readonly classes: readonly string[]; readonly agents: readonly InstalledAgent[] },
    nodes: TellingNodes,
  ): Promise<readonly InstalledAgent[]> {
    return this.inTransaction(async (client) => {
      const present = [...new Set([...nodes.all, node])];
      // Before anything else: whoever tells of the same node waits here.
      const told = await client.query<{ readonly classes: readonly string[] }>(TELL, [clusterId, node, [...classes]]);
      const before = await client.query<ChangedRow>(INSTALL, [clusterId, node, JSON.stringify(agents.map(rowOf))]);
      const gone = await client.query(FORGET_NODES, [clusterId, present]);
      const isNews = told.rows[0] === undefined || before.rows[0]?.changed !== '0' || (gone.rowCount ?? 0) > 0;
      if (isNews) {
        await client.query(FORGET_DESCRIPTIONS, [clusterId]);
        await client.query(COUNT_UP, [clusterId]);
      }
      const wanted = await client.query<AgentRow>(WANTED, [clusterId, node, [...nodes.cluster], LIMITS.wantedAgents]);
      return wanted.rows.map(agentOf);
    });
  }

  /**
   * Puts down what an agent says about itself, where it is wanted of the node (as {@link tell} answers it): once for each version, and once more by a cluster node where another one was first. What is not wanted is dropped.
   *
   * @param clusterNodes names of the cluster nodes
   * @returns `not-installed` when the node has not told that it has it, `full` when what the node has described, or all cluster nodes, or all other nodes, would take too much room
   */
  async describe(
    clusterId: string,
    node: string,
    description: AgentDescriptionRequest,
    clusterNodes: readonly string[],
  ): Promise<'described' | 'not-installed' | 'full'> {
    const { class: standard, provider = '', type, digest, metadata, problem } = description;
    const version = [standard, provider, type, digest];
    const said = metadata === undefined ? null : JSON.stringify(metadata);
    const why = metadata === undefined ? (problem ?? 'no reason was given') : null;
    // By itself: with these rows held, whoever forgets some of them at the same time would wait for this one, and be waited for.
    await this.pool.query(COUNT_BYTES, [clusterId]);
    return this.inTransaction(async (client) => {
      // One after the other: those that are described at the same time would all find the same room.
      await client.query('SELECT FROM agent_tellings WHERE cluster_id = $1 AND node = $2 FOR UPDATE', [clusterId, node]);
      const { rows } = await client.query<RoomRow>(ROOM, [clusterId, node, [...clusterNodes], ...version]);
      const { wanted, own, all } = rows[0] ?? { wanted: null, own: '0', all: '0' };
      if (wanted === null) return 'not-installed';
      if (!wanted) return 'described';
      const bytes = Buffer.byteLength(said ?? '');
      const isOfCluster = clusterNodes.includes(node);
      const [mostOwn, most] = isOfCluster ? [MOST_NODE_BYTES, MOST_BYTES] : [MOST_REMOTE_NODE_BYTES, MOST_REMOTE_BYTES];
      if (Number(own) + bytes > mostOwn || Number(all) + bytes > most) return 'full';
      const put = await client.query(DESCRIBE, [clusterId, node, [...clusterNodes], ...version, said, why]);
      if ((put.rowCount ?? 0) > 0) await client.query(COUNT_UP, [clusterId]);
      return 'described';
    });
  }

  /** The nodes that have told, by name. */
  async tellings(clusterId: string): Promise<readonly NodeTelling[]> {
    const { rows } = await this.pool.query<{ readonly node: string; readonly classes: readonly string[]; readonly told_at: Date }>(
      'SELECT node, classes, told_at FROM agent_tellings WHERE cluster_id = $1 ORDER BY node',
      [clusterId],
    );
    return rows.map(({ node, classes, told_at: toldAt }) => ({ node, classes, toldAt: toldAt.toISOString() }));
  }

  /** All agents and versions, by name, with a few words about each. */
  async list(clusterId: string): Promise<readonly (AgentOnNodes & { readonly shortDescription?: string })[]> {
    const { rows } = await this.pool.query<AgentRow & OnNodes & { readonly short: string | null }>(LIST, [clusterId]);
    return rows.map((row) => ({ ...onNodes(row), ...(row.short === null ? {} : { shortDescription: row.short }) }));
  }

  /** The versions of one agent, with what they say about themselves; the one that most nodes have first. */
  async versions(clusterId: string, { class: standard, provider = '', type }: AgentName): Promise<readonly AgentOnNodes[]> {
    const values = [clusterId, standard, provider, type];
    const { rows } = await this.pool.query<AgentRow & OnNodes & { readonly metadata: DescribedAgent | null }>(VERSIONS, values);
    return rows.map((row) => ({ ...onNodes(row), ...(row.metadata === null ? {} : { metadata: row.metadata }) }));
  }

  /** What nodes have told, as long as it stays the same object: nothing is read again that did not change. */
  async told(clusterId: string): Promise<ToldAgents | undefined> {
    const { rows } = await this.pool.query<{ readonly version: string }>({
      name: 'systole-agent-catalog',
      text: 'SELECT version FROM agent_catalogs WHERE cluster_id = $1',
      values: [clusterId],
    });
    const version = rows[0]?.version;
    if (version === undefined) return undefined;
    const known = this.known.get(clusterId);
    if (known?.version === version) return known.told;
    const told = await this.read(clusterId);
    this.known.delete(clusterId);
    this.known.set(clusterId, { version, told });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= KEPT) break;
      this.known.delete(oldest);
    }
    return told;
  }

  /** Forgets what was told of clusters that were deleted. */
  async forgetDeleted(): Promise<void> {
    for (const table of ['agent_descriptions', 'installed_agents', 'agent_tellings', 'agent_catalogs']) {
      await this.pool.query(
        `DELETE FROM ${table} AS told USING clusters WHERE clusters.id = told.cluster_id AND clusters.deleted_at IS NOT NULL`,
      );
    }
  }

  private async read(clusterId: string): Promise<ToldAgents> {
    const classes = await this.pool.query<{ readonly class: string }>(CLASSES, [clusterId]);
    const { rows } = await this.pool.query<AgentRow & Parts>(PARAMETERS, [clusterId]);
    const agents = new Map<string, AgentParameters & { readonly versions: unknown[]; readonly operations: unknown[] }>();
    for (const row of rows) {
      const { class: standard, provider, type } = agentOf(row);
      const agent = { class: standard, ...(provider === undefined ? {} : { provider }), type };
      const key = JSON.stringify(agent);
      const entry = agents.get(key) ?? { agent, versions: [], operations: [] };
      entry.versions.push(row.parameters ?? undefined);
      entry.operations.push(row.operations ?? undefined);
      agents.set(key, entry);
    }
    return { classes: classes.rows.map((row) => row.class), agents: [...agents.values()] };
  }

  /** Once more where it lost a deadlock: what nodes tell of each other at the same time has no order that holds for all of it. */
  private async inTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(work);
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || !isDeadlock(error)) throw error;
      }
    }
  }

  private async once<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let failed: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((cause: unknown) => {
        failed = cause instanceof Error ? cause : new Error(String(cause));
      });
      throw error;
    } finally {
      client.release(failed);
    }
  }
}

/** SQLSTATE 40P01: nothing of the transaction is left, and whoever won goes on. */
function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01';
}

interface AgentRow {
  readonly class: string;
  /** Empty: none. */
  readonly provider: string;
  readonly type: string;
  readonly digest: string;
}

interface Parts {
  readonly parameters: readonly ToldParameter[] | null;
  readonly operations: readonly string[] | null;
}

interface OnNodes {
  readonly nodes: readonly string[];
  readonly problem: string | null;
}

interface RoomRow {
  /** Null: the node does not have it. */
  readonly wanted: boolean | null;
  /** Bytes of what the node has described. */
  readonly own: string;
  /** Bytes of what all nodes of its kind have described: cluster nodes, or others. */
  readonly all: string;
}

interface ChangedRow {
  readonly changed: string;
}

function rowOf({ class: standard, provider = '', type, digest }: InstalledAgent): AgentRow {
  return { class: standard, provider, type, digest };
}

function agentOf({ class: standard, provider, type, digest }: AgentRow): InstalledAgent {
  return { class: standard, ...(provider === '' ? {} : { provider }), type, digest };
}

function onNodes(row: AgentRow & OnNodes): AgentOnNodes {
  return { ...agentOf(row), nodes: row.nodes, ...(row.problem === null ? {} : { problem: row.problem }) };
}

/** Gives the standards that were told before, if they were the same. */
const TELL = `
WITH before AS (SELECT classes FROM agent_tellings WHERE cluster_id = $1 AND node = $2 AND classes = $3::text[]),
     told AS (
       INSERT INTO agent_tellings (cluster_id, node, classes) VALUES ($1, $2, $3::text[])
       ON CONFLICT (cluster_id, node) DO UPDATE SET classes = excluded.classes, told_at = clock_timestamp()
     )
SELECT classes FROM before`;

const SAME_AGENT = '(a.class, a.provider, a.type) = (b.class, b.provider, b.type)';

/** Rows that are as they were are left alone. */
const INSTALL = `
WITH b AS (
       SELECT DISTINCT ON (class, provider, type) * FROM jsonb_to_recordset($3::jsonb) AS x (class text, provider text, type text, digest text)
     ),
     gone AS (
       DELETE FROM installed_agents AS a WHERE cluster_id = $1 AND node = $2 AND NOT EXISTS (SELECT FROM b WHERE ${SAME_AGENT}) RETURNING 1
     ),
     put AS (
       INSERT INTO installed_agents AS a (cluster_id, node, class, provider, type, digest) SELECT $1, $2, class, provider, type, digest FROM b
       ON CONFLICT (cluster_id, node, class, provider, type) DO UPDATE SET digest = excluded.digest WHERE a.digest <> excluded.digest
       RETURNING 1
     )
SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM put) AS changed`;

/** One that told a moment ago may have joined after the nodes were read. */
const FORGET_NODES = `
WITH others AS (
  DELETE FROM agent_tellings WHERE cluster_id = $1 AND node <> ALL ($2::text[]) AND told_at < clock_timestamp() - interval '10 minutes' RETURNING node
)
DELETE FROM installed_agents AS a USING others WHERE a.cluster_id = $1 AND a.node = others.node`;

/** In their order: two that forget at the same time wait for each other one way round only. */
const FORGET_DESCRIPTIONS = `
WITH a AS (
  SELECT class, provider, type, digest FROM agent_descriptions AS a WHERE cluster_id = $1
    AND NOT EXISTS (SELECT FROM installed_agents AS b WHERE b.cluster_id = $1 AND ${SAME_AGENT} AND a.digest = b.digest)
  ORDER BY class, provider, type, digest FOR UPDATE
)
DELETE FROM agent_descriptions AS b USING a WHERE b.cluster_id = $1 AND ${SAME_AGENT} AND a.digest = b.digest`;

const COUNT_UP = `
INSERT INTO agent_catalogs AS known (cluster_id, version) VALUES ($1, 1) ON CONFLICT (cluster_id) DO UPDATE SET version = known.version + 1`;

/** Whether a node is asked for what it has (`a`; $2 the node, $3 the cluster nodes): unless that is known from one whose word counts as much, or it could not read it itself. */
const IS_WANTED = `a.class IN ('ocf', 'stonith') AND NOT EXISTS (
    SELECT FROM agent_descriptions AS b WHERE b.cluster_id = $1 AND ${SAME_AGENT} AND a.digest = b.digest
      AND CASE WHEN metadata IS NULL THEN b.node = $2 ELSE b.node = ANY ($3::text[]) OR $2 <> ALL ($3::text[]) END
  )`;

/** In no order: nodes that ask at the same time share the work. What one node could not read another one may. */
const WANTED = `
SELECT class, provider, type, digest FROM installed_agents AS a WHERE cluster_id = $1 AND node = $2 AND ${IS_WANTED}
ORDER BY random() LIMIT $4`;

const ROOM = `
SELECT (
    SELECT ${IS_WANTED} FROM installed_agents AS a WHERE (cluster_id, node, class, provider, type, digest) = ($1, $2, $4, $5, $6, $7)
  ) AS wanted,
  coalesce(sum(bytes) FILTER (WHERE node = $2), 0) AS own,
  coalesce(sum(bytes) FILTER (WHERE (node = ANY ($3::text[])) = ($2 = ANY ($3::text[]))), 0) AS all
FROM (SELECT node, coalesce(bytes, octet_length(metadata::text)) AS bytes FROM agent_descriptions WHERE cluster_id = $1) AS told`;

/** Of what earlier versions put down. Two that describe at the same time don't wait for each other. */
const COUNT_BYTES = `
UPDATE agent_descriptions AS told SET bytes = octet_length(told.metadata::text)
FROM (
  SELECT class, provider, type, digest FROM agent_descriptions
  WHERE cluster_id = $1 AND bytes IS NULL AND metadata IS NOT NULL FOR UPDATE SKIP LOCKED
) AS uncounted
WHERE told.cluster_id = $1
  AND (told.class, told.provider, told.type, told.digest) = (uncounted.class, uncounted.provider, uncounted.type, uncounted.digest)`;

/** That something could not be read takes the place of nothing that was. */
const DESCRIBE = `
INSERT INTO agent_descriptions AS known (cluster_id, node, class, provider, type, digest, metadata, problem, bytes)
VALUES ($1, $2, $4, $5, $6, $7, $8, $9, octet_length(($8::jsonb)::text))
ON CONFLICT (cluster_id, class, provider, type, digest)
  DO UPDATE SET node = excluded.node, metadata = excluded.metadata, problem = excluded.problem, bytes = excluded.bytes, told_at = clock_timestamp()
  WHERE known.metadata IS NULL
    OR (excluded.metadata IS NOT NULL AND known.node <> ALL ($3::text[]) AND excluded.node = ANY ($3::text[]))`;

const WITH_NODES = `
  SELECT class, provider, type, digest, array_agg(node ORDER BY node) AS nodes FROM installed_agents WHERE cluster_id = $1`;

const DESCRIBED =
  'LEFT JOIN agent_descriptions AS b ON b.cluster_id = $1 AND (b.class, b.provider, b.type, b.digest) = (a.class, a.provider, a.type, a.digest)';

const LIST = `
SELECT a.*, problem, metadata ->> 'shortDescription' AS short
FROM (${WITH_NODES} GROUP BY class, provider, type, digest) AS a ${DESCRIBED}
ORDER BY a.class, a.provider, a.type, cardinality(a.nodes) DESC, a.digest`;

const VERSIONS = `
SELECT a.*, problem, metadata
FROM (${WITH_NODES} AND (class, provider, type) = ($2, $3, $4) GROUP BY class, provider, type, digest) AS a ${DESCRIBED}
ORDER BY cardinality(a.nodes) DESC, a.digest`;

const CLASSES = 'SELECT DISTINCT unnest(classes) AS class FROM agent_tellings WHERE cluster_id = $1 ORDER BY class';

const PARAMETERS = `
SELECT a.*, CASE WHEN metadata IS NOT NULL THEN (
    SELECT coalesce(jsonb_agg(parameter - '{type,options,uniqueGroup,shortDescription,longDescription}'::text[]), '[]')
    FROM jsonb_array_elements(metadata -> 'parameters') AS parameter
  ) END AS parameters,
  jsonb_path_query_array(metadata, '$.actions[*].name') AS operations
FROM (SELECT DISTINCT class, provider, type, digest FROM installed_agents WHERE cluster_id = $1) AS a ${DESCRIBED}
ORDER BY a.class, a.provider, a.type, a.digest`;
