import { childElements, childrenNamed, element, isConnectionAgent, literalMeta, type XmlElement } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';

/**
 * Creates the nodes that `resources` implies, remote and guest ones, and returns the resource elements with the connections of guest
 * nodes appended (specification 03 §1.2, 02 §9).
 */
export function unpackImplicitNodes(cluster: Cluster, configured: readonly XmlElement[]): XmlElement[] {
  const elements = [...configured];
  // Connections appended on the way are visited too, and make their nodes.
  for (const candidate of elements) {
    if (isConnectionAgent(candidate.attributes)) addImplicitNode(cluster, candidate.attributes['id']);
    else if (candidate.name === 'primitive') appendConnection(cluster, elements, candidate);
    else if (candidate.name === 'group')
      for (const member of childrenNamed(candidate, 'primitive')) appendConnection(cluster, elements, member);
  }
  return elements;
}

/** A node of remote type that has no `node` entry. */
export function addImplicitNode(cluster: Cluster, name: string | undefined): void {
  if (name === undefined || cluster.nodeByName(name)) return;
  cluster.addNode(name, name, true, 0).attributes.set('#kind', 'remote');
}

function appendConnection(cluster: Cluster, elements: XmlElement[], host: XmlElement): void {
  const values = literalMeta(host);
  const name = values.get('remote-node');
  if (name === undefined) return;
  addImplicitNode(cluster, name);
  elements.push(
    connectionElement({
      id: name,
      container: host.attributes['id'] ?? '',
      allowMigrate: values.get('remote-allow-migrate'),
      isManaged: values.get('is-managed'),
      address: values.get('remote-addr'),
      port: values.get('remote-port'),
      startTimeout: values.get('remote-connect-timeout') ?? '60s',
    }),
  );
}

/** What an implicit connection primitive is made from. */
export interface ConnectionDescription {
  readonly id: string;
  readonly container: string;
  readonly allowMigrate?: string | undefined;
  readonly isManaged?: string | undefined;
  readonly address?: string | undefined;
  readonly port?: string | undefined;
  /** Timeout of the start; without it there is no start operation. */
  readonly startTimeout?: string;
}

/** The connection primitive of a guest or bundle node (specification 02 §8.7, §9.2). */
export function connectionElement(description: ConnectionDescription): XmlElement {
  const { id } = description;
  const set = (name: string, pairs: readonly (readonly [string, string | undefined])[]): XmlElement[] => {
    const given = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
    if (given.length === 0) return [];
    return [
      element(
        name,
        { id: `${id}-${name}` },
        given.map(([key, value]) => element('nvpair', { id: `${id}-${name}-${key}`, name: key, value })),
      ),
    ];
  };
  const operations = [element('op', { id: `${id}-monitor-interval-30s`, name: 'monitor', interval: '30s', timeout: '30s' })];
  if (description.startTimeout !== undefined) {
    operations.push(element('op', { id: `${id}-start-interval-0`, name: 'start', interval: '0', timeout: description.startTimeout }));
  }
  return element('primitive', { id, class: 'ocf', provider: 'pacemaker', type: 'remote' }, [
    ...set('meta_attributes', [
      ['internal_rsc', 'true'],
      ['container', description.container],
      ['allow-migrate', description.allowMigrate],
      ['is-managed', description.isManaged],
    ]),
    ...set('instance_attributes', [
      ['addr', description.address],
      ['port', description.port],
    ]),
    element('operations', {}, operations),
  ]);
}

/** `resources` below `configuration`, as far as it exists. */
export function resourceElements(cluster: Cluster): XmlElement[] {
  const section = cluster.cib.section('resources');
  return section ? childElements(section) : [];
}
