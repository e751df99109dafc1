import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which resource and fence agents the nodes of a cluster have, and what these say about themselves (docs/decisions/0051-agents-meta-data.md). What agents tell, not events: nothing is planned from it, and
 * a row that is lost is told again with the node's next join.
 *
 * - `agent_catalogs`: counts the changes of the other two up, by cluster;
 * - `installed_agents`: one row for each node, agent and version. `provider` is empty where the standard has none;
 * - `agent_tellings`: the nodes that have told, and of which standards they named all;
 * - `agent_descriptions`: what agents of a version say; without `metadata` where that could not be read, with the node that could not.
 */
export class ResourceAgents1795272200000 implements MigrationInterface {
  readonly name = 'ResourceAgents1795272200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['agent_descriptions', 'installed_agents', 'agent_tellings', 'agent_catalogs']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}

const UP = [
  `
CREATE TABLE agent_catalogs (
  cluster_id text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL
)`,
  `
CREATE TABLE agent_tellings (
  cluster_id text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  classes text[] NOT NULL,
  told_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (cluster_id, node)
)`,
  `
CREATE TABLE installed_agents (
  cluster_id text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  class text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  PRIMARY KEY (cluster_id, node, class, provider, type)
)`,
  'CREATE INDEX installed_agents_by_agent ON installed_agents (cluster_id, class, provider, type, digest)',
  `
CREATE TABLE agent_descriptions (
  cluster_id text COLLATE "C" NOT NULL,
  class text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  metadata jsonb,
  problem text,
  told_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (cluster_id, class, provider, type, digest)
)`,
];
