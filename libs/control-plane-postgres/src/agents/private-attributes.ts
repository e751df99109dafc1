import type { PrivateAttributesRequest } from '@systole/protocol';
import type { Pool } from 'pg';

/** What is private on a node, as its agent told it in one of its lives. */
export interface ToldPrivately {
  readonly node: string;
  readonly incarnation: number;
  readonly attributes: PrivateAttributesRequest['attributes'];
}

/** Private attributes of nodes, for the agents of other nodes: neither the CIB nor the event log has them. */
export class PrivateAttributes {
  constructor(private readonly pool: Pool) {}

  /**
   * Puts down all that a node has, in the place of what it told before. What is heard late is passed over: of an earlier life of the node, or of an earlier revision in this one.
   *
   * @param revision undefined: its agent does not count
   */
  async tell(
    clusterId: string,
    { node, incarnation, attributes }: ToldPrivately,
    revision: PrivateAttributesRequest['revision'],
  ): Promise<void> {
    await this.pool.query(TELL, [clusterId, node, incarnation, revision, JSON.stringify(attributes)]);
  }

  /**
   * What some nodes of a cluster have told, by name; whether they live still is for the caller to know.
   *
   * @param name of one attribute; undefined: all. What is not asked for is not read: each agent of a cluster may ask often, and others may have told much
   */
  async of(clusterId: string, nodes: readonly string[], name: string | undefined): Promise<readonly ToldPrivately[]> {
    if (nodes.length === 0) return [];
    const { rows } = await this.pool.query<Omit<ToldPrivately, 'incarnation'> & { readonly incarnation: string }>({
      name: 'systole-private-attributes',
      text: READ,
      values: [clusterId, nodes, name],
    });
    return rows.map((row) => ({ ...row, incarnation: Number(row.incarnation) }));
  }

  /** Forgets what was told in clusters that were deleted. */
  async forgetDeleted(): Promise<void> {
    await this.pool.query(
      'DELETE FROM private_attributes AS told USING clusters WHERE clusters.id = told.cluster_id AND clusters.deleted_at IS NOT NULL',
    );
  }
}

const READ = `
SELECT node, incarnation, CASE WHEN $3::text IS NULL THEN private_attributes.attributes ELSE named.attributes END AS attributes
FROM private_attributes, LATERAL (
  SELECT coalesce(jsonb_agg(one.attribute), '[]') AS attributes
  FROM jsonb_array_elements(private_attributes.attributes) AS one (attribute) WHERE one.attribute ->> 'name' = $3
) AS named
WHERE cluster_id = $1 AND node = ANY ($2::text[]) ORDER BY node`;

const TELL = `
INSERT INTO private_attributes AS told (cluster_id, node, incarnation, revision, attributes) VALUES ($1, $2, $3, $4, $5::jsonb)
ON CONFLICT (cluster_id, node)
  DO UPDATE SET incarnation = excluded.incarnation, revision = excluded.revision, attributes = excluded.attributes
WHERE told.incarnation < excluded.incarnation
  OR (told.incarnation = excluded.incarnation AND (told.revision <= excluded.revision) IS NOT FALSE)`;
