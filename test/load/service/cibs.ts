import { element, type XmlElement } from '@systole/cib';
import { cluster, nvpairs, primitive, type ClusterSize } from '../scheduler/clusters.js';

/** Without fence devices; agents stop their resources themselves. */
const NO_FENCING = { 'stonith-enabled': 'false' } as const;

/** Names of a cluster's nodes. */
export function nodeNames({ nodes }: Pick<ClusterSize, 'nodes'>): readonly string[] {
  return Array.from({ length: nodes }, (_, index) => `node${index + 1}`);
}

/** A cluster that has nodes and nothing to run. */
export function emptyCib({ nodes }: Pick<ClusterSize, 'nodes'>): XmlElement {
  return cluster(nodes, NO_FENCING, [], []);
}

export const resourceName = (index: number): string => `r${index}`;

/** Primitives with a monitor every 10 s that may run anywhere. */
export function plainCib({ nodes, resources }: ClusterSize): XmlElement {
  return cluster(nodes, NO_FENCING, primitives(resources), []);
}

export const FENCE_DEVICE = 'fence';

/** As {@link plainCib}, with a device that can fence every node; what runs stays where it is. */
export function fencedCib({ nodes, resources }: ClusterSize): XmlElement {
  const monitor = element('op', { id: `${FENCE_DEVICE}-monitor`, name: 'monitor', interval: '60s' });
  const device = element('primitive', { id: FENCE_DEVICE, class: 'stonith', type: 'fence_simulated' }, [
    element('operations', {}, [monitor]),
  ]);
  const staying = primitives(resources).map((one) => withMeta(one, { 'resource-stickiness': '100' }));
  return cluster(nodes, { 'stonith-enabled': 'true', 'startup-fencing': 'false' }, [device, ...staying], []);
}

/** Places at which a resource of {@link spreadCib} may run. */
const PLACES = 3;

/**
 * The same, but each may run on three nodes only and is looked for nowhere else, as in large clusters.
 * @param managed whether anything is done about what the monitors find
 */
export function spreadCib({ nodes, resources }: ClusterSize, managed = true): XmlElement {
  const locations = Array.from({ length: resources }, (_, index) =>
    Array.from({ length: Math.min(PLACES, nodes) }, (__, place) => {
      const node = ((index + place * (1 + (index % 7))) % nodes) + 1;
      const rsc = resourceName(index);
      return element('rsc_location', {
        id: `${rsc}-${place}`,
        rsc,
        node: `node${node}`,
        score: String(10 - place),
        'resource-discovery': 'exclusive',
      });
    }),
  ).flat();
  const all = primitives(resources);
  return cluster(nodes, NO_FENCING, managed ? all : all.map((one) => withMeta(one, { 'is-managed': 'false' })), locations);
}

/** As {@link plainCib}; of each ten resources the second is started after the first. */
export function orderedCib({ nodes, resources }: ClusterSize): XmlElement {
  const orders = orderedPairs(resources).map(([first, then]) => element('rsc_order', { id: `${first}-${then}`, first, then }));
  return cluster(nodes, NO_FENCING, primitives(resources), orders);
}

/** Which resources of {@link orderedCib} are started one after the other. */
export function orderedPairs(resources: number): readonly (readonly [first: string, then: string])[] {
  return Array.from(
    { length: Math.floor(resources / 10) },
    (_, index) => [resourceName(index * 10), resourceName(index * 10 + 1)] as const,
  );
}

function primitives(count: number): readonly XmlElement[] {
  return Array.from({ length: count }, (_, index) => primitive(resourceName(index)));
}

function withMeta(resource: XmlElement, meta: Readonly<Record<string, string>>): XmlElement {
  const id = `${resource.attributes['id'] ?? ''}-meta`;
  return { ...resource, children: [...resource.children, element('meta_attributes', { id }, nvpairs(id, meta))] };
}
