import { element as makeElement, type XmlElement } from '@systole/cib';
import { addPreferenceEverywhere, type Cluster } from '../model/cluster.js';
import type { Resource } from '../model/resource.js';
import { defining } from '../model/resource/defining.js';
import { INFINITY } from '../model/score.js';
import { addImplicitNode } from './implicit-connections.js';
import { addTopLevel, linkConnection, unpackResource } from './resources.js';

/** Makes the resource that only history knows (specification 03 §8, 02 §10.5). */
export function addRemovedResource(cluster: Cluster, attributes: XmlElement['attributes'], id: string): Resource | undefined {
  const resource = unpackResource(cluster, makeElement('primitive', { ...attributes, id }), undefined, undefined);
  if (!resource) return undefined;
  addTopLevel(cluster, resource);
  defining(resource).removed = true;
  if (resource.remoteConnection) {
    addImplicitNode(cluster, id);
    linkConnection(cluster, resource);
    const node = cluster.nodeByName(id);
    if (node) node.shutdown = true;
  }
  if (attributes['container'] !== undefined) defining(resource).lostLaunched = true;
  if (cluster.options.stopRemovedResources) addPreferenceEverywhere(cluster, resource, -INFINITY, { kind: 'removed' });
  else defining(resource).managedAsDefined = false;
  return resource;
}
