import { element, type XmlElement } from '@systole/cib';
import { type Cluster, configuredLocations, type Resource, RoleLevel } from '@systole/scheduler';

/** Location constraints that count against a node, the last of the configuration first. */
export function banElements(
  cluster: Cluster,
  isNodeShown: (name: string) => boolean,
  isShown: (resource: Resource) => boolean,
): readonly XmlElement[] {
  return [...configuredLocations(cluster)].reverse().flatMap(({ id, resource, role, nodes }) => {
    if (!isShown(resource)) return [];
    const promotedOnly = String(role === RoleLevel.Promoted);
    return nodes.flatMap(({ node, score }) =>
      score < 0 && isNodeShown(node.name)
        ? element('ban', {
            id,
            resource: resource.id,
            node: node.name,
            weight: String(score),
            'promoted-only': promotedOnly,
            master_only: promotedOnly,
          })
        : [],
    );
  });
}
