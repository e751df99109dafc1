import { childElements, descendants, expandTemplate, operationsOf, type XmlElement } from '@systole/cib';
import { type Cluster, subtree } from '../model/cluster.js';
import { CandidateTable, ProbeMode } from '../model/candidates.js';
import type { Resource, ResourceKind } from '../model/resource.js';
import { ResourceRecord } from '../model/resource/record.js';
import { defining } from '../model/resource/defining.js';
import { clampScore } from '../model/score.js';
import { NODE_SCORE } from '../model/score-trail.js';
import { unpackBundle } from './bundle.js';
import { resourceElements, unpackImplicitNodes } from './implicit-connections.js';
import { applyMeta, readMeta } from './meta.js';
import { startupFencing } from './nodes.js';
import { layersOf, parameters } from '../operations/parameters.js';

/** Everything below `resources`: the tree, links between guests and their launchers, order by priority (specification 02 §1). */
export function unpackResources(cluster: Cluster): void {
  cluster.usesUnfencing = usesUnfencing(cluster);
  for (const element of unpackImplicitNodes(cluster, resourceElements(cluster))) {
    if (element.name === 'template') continue;
    const resource = unpackResource(cluster, element, undefined, undefined);
    if (resource) addTopLevel(cluster, resource);
  }
  for (const resource of cluster.resources) linkLaunchers(cluster, resource);
  for (const resource of cluster.resources) linkConnections(cluster, resource);
  // The sort is stable: ties keep the document's order.
  cluster.resources.sort((a, b) => b.priority - a.priority);
  warnOfMissingFenceDevice(cluster);
}

/** Without a fence device every resource is left as it is (specification 04 §8.2): the first thing to know for who wonders why nothing starts. */
function warnOfMissingFenceDevice({ options, hasFenceDevices, resources, messages }: Cluster): void {
  if (!options.fencingEnabled || options.haveWatchdog || hasFenceDevices || resources.length === 0) return;
  const text =
    'No resource is started or stopped: fencing is enabled, but there is no fence device. Configure one, or set fencing-enabled to false';
  messages.push({ level: 'error', text });
}

/** Appends to the top-level list and makes the tree known to searches. */
export function addTopLevel(cluster: Cluster, resource: Resource): void {
  cluster.resources.push(resource);
  defining(resource).topLevel = true;
}

/** Text search, without regard to rules or references (specification 02 §1 step 2). */
function usesUnfencing(cluster: Cluster): boolean {
  const asksForIt = ({ name, attributes }: XmlElement): boolean =>
    name === 'nvpair' && (attributes['name'] === 'provides' || attributes['name'] === 'requires') && attributes['value'] === 'unfencing';
  const isSet = (element: XmlElement): boolean => element.name === 'meta_attributes' && childElements(element).some(asksForIt);
  const resources = cluster.cib.section('resources');
  const defaults = cluster.cib.firstNamed('rsc_defaults');
  if (defaults && childElements(defaults).some(isSet)) return true;
  if (resources) for (const element of descendants(resources)) if (isSet(element)) return true;
  return false;
}

const kinds: ReadonlyMap<string, ResourceKind> = new Map((['primitive', 'group', 'clone', 'bundle'] as const).map((kind) => [kind, kind]));

/** Unpacks one resource element with everything below it; undefined when it is rejected (specification 02 §2). */
export function unpackResource(
  cluster: Cluster,
  written: XmlElement,
  parent: Resource | undefined,
  instance: string | undefined,
): Resource | undefined {
  const xmlId = written.attributes['id'];
  const kind = kinds.get(written.name);
  if (xmlId === undefined || kind === undefined) {
    cluster.error(`Ignoring <${written.name}>: ${xmlId === undefined ? 'it has no id' : 'it is no type of resource'}`);
    return undefined;
  }
  cluster.expansion.addResource((parent?.outermost ?? { element: written }).element);
  const element = kind === 'primitive' ? expandTemplate(cluster.cib.evaluation.index, written) : written;
  if (!element) {
    cluster.error(`Ignoring resource ${xmlId}: there is no template "${written.attributes['template'] ?? ''}"`);
    return undefined;
  }
  const resource: Resource = new ResourceRecord(
    instance === undefined ? xmlId : `${xmlId}:${instance}`,
    xmlId,
    kind,
    element,
    new CandidateTable(0, cluster.explains),
  );
  defining(resource).parent = parent;
  defining(resource).instance = instance;
  defining(resource).remembered = cluster.operationMemory?.of(layersOf(resource));
  defining(resource).operations = operationsOf(cluster.cib.evaluation.index, element);
  readMeta(cluster, resource);
  applyMeta(cluster, resource);
  applyReconnectInterval(cluster, resource);
  if (!unpackKind(cluster, resource, instance)) return undefined;
  cluster.resourceNames.add(resource.id, resource);
  enterDefaults(cluster, resource);
  // A bundle's container takes the utilization of the bundled primitive.
  const utilization = new Map<string, string>();
  cluster.cib.fill(element, 'utilization', {}, utilization);
  if (utilization.size > 0) defining(resource).utilization = utilization;
  const template = written.attributes['template'];
  if (template !== undefined && kind === 'primitive') {
    const users = cluster.templateUsers.get(template);
    if (users) users.add(xmlId);
    else cluster.templateUsers.set(template, new Set([xmlId]));
  }
  return resource;
}

/** Replaces the failure timeout on connections of remote nodes (specification 02 §9.1). */
function applyReconnectInterval(cluster: Cluster, resource: Resource): void {
  if (!resource.remoteConnection || resource.meta.has('container')) return;
  const text = parameters(cluster, resource, undefined).get('reconnect_interval');
  if (text === undefined) return;
  const interval = cluster.cib.interval(text);
  defining(resource).reconnectInterval = interval;
  defining(resource).failureTimeoutAsDefined = interval;
}

function unpackKind(cluster: Cluster, resource: Resource, instance: string | undefined): boolean {
  switch (resource.kind) {
    case 'primitive':
      return checkPrimitive(cluster, resource);
    case 'group':
      return unpackGroup(cluster, resource, instance);
    case 'clone':
      return unpackClone(cluster, resource);
    case 'bundle':
      return unpackBundle(cluster, resource, (written, parent) => unpackResource(cluster, written, parent, undefined));
  }
}

/** Standards that can't be unique or promotable (specification 02 §4). */
function checkPrimitive(cluster: Cluster, resource: Resource): boolean {
  const top = resource.top;
  if (top.kind !== 'clone') return true;
  const standard = resource.element.attributes['class']?.toLowerCase();
  if (standard !== 'ocf' && standard !== 'stonith' && resource.unique) forceAnonymous(cluster, top, resource);
  if (standard !== 'ocf' && top.promotable) {
    cluster.error(`Ignoring resource ${resource.id}: agents of class "${standard ?? ''}" can't be promoted`);
    return false;
  }
  return true;
}

function forceAnonymous(cluster: Cluster, clone: Resource, leaf: Resource): void {
  cluster.warn(`Clone ${clone.id}: instances of ${leaf.xmlId} can't be told apart; "globally-unique" is switched off`);
  const settings = clone.clone;
  if (settings) defining(clone).clone = { ...settings, nodeMax: 1, max: Math.min(settings.max, cluster.nodes.length) };
  for (const resource of [...subtree(clone), leaf]) {
    defining(resource).unique = false;
    defining(resource).meta.set('globally-unique', 'false');
  }
}

function unpackGroup(cluster: Cluster, group: Resource, instance: string | undefined): boolean {
  const isOn = (name: string): boolean => cluster.cib.boolean(group.meta.get(name)) !== false;
  defining(group).ordered = isOn('ordered');
  defining(group).colocated = isOn('collocated');
  for (const element of childElements(group.element)) {
    if (element.name !== 'primitive') continue;
    const member = unpackResource(cluster, element, group, instance);
    if (member) defining(group).children.push(member);
  }
  if (group.children.length === 0) cluster.error(`Ignoring group ${group.id}: it has no usable member`);
  return group.children.length > 0;
}

function unpackClone(cluster: Cluster, clone: Resource): boolean {
  const { meta } = defining(clone);
  const { cib } = cluster;
  const childElement = childElements(clone.element).find(({ name }) => name === 'primitive' || name === 'group');
  if (!childElement) {
    cluster.error(`Ignoring clone ${clone.id}: it contains neither a primitive nor a group`);
    return false;
  }
  const count = (names: readonly string[], fallback: number): number => {
    const text = names.map((name) => meta.get(name)).find((value) => value !== undefined);
    return text === undefined ? fallback : Math.min(Math.max(cib.integer(text) ?? 0, 0), 2147483647);
  };
  let nodeMax = count(['clone-node-max'], 1);
  if (!clone.unique && nodeMax > 1) {
    cluster.error(`Clone ${clone.id}: "clone-node-max" is 1, because instances can't be told apart`);
    nodeMax = 1;
  }
  defining(clone).clone = {
    max: count(['clone-max'], Math.max(cluster.nodes.length, 1)),
    nodeMax,
    promotedMax: clone.promotable ? count(['promoted-max', 'master-max'], 1) : 0,
    promotedNodeMax: clone.promotable ? count(['promoted-node-max', 'master-node-max'], 1) : 0,
    ordered: cib.boolean(meta.get('ordered')) === true,
    interleave: cib.boolean(meta.get('interleave')) === true,
    childElement,
  };
  // Only now, so that the clone's own stickiness stays what it was.
  if (!meta.has('resource-stickiness')) meta.set('resource-stickiness', '1');
  meta.set('globally-unique', clone.unique ? 'true' : 'false');
  // In a bundle it is made of its replicas.
  const written = clone.outermost === clone ? asWritten('clone-max', meta.get('clone-max'), clone.clone?.max) : undefined;
  // Making an instance may lower it.
  const most = (): number => clone.clone?.max ?? 0;
  if (most() <= 0) return addInstance(cluster, clone) !== undefined;
  for (let i = 0; i < most(); i++) {
    const instance = addInstance(cluster, clone);
    if (!instance) return false;
    if (i === 0) cluster.expansion.expectResources(clone.outermost.element, (most() - 1) * [...subtree(instance)].length, written);
  }
  return true;
}

/** A number as somebody wrote it, and how it is read where that differs; undefined where nobody did. */
function asWritten(name: string, text: string | undefined, read = 0): string | undefined {
  if (text === undefined) return undefined;
  const shown = `${name}="${text.slice(0, 40)}"`;
  return text === String(read) ? shown : `${shown}, read as ${read},`;
}

/** Creates the next instance of a clone; a surplus one is removed from the start (specification 02 §7). */
export function addInstance(cluster: Cluster, clone: Resource): Resource | undefined {
  const settings = clone.clone;
  if (!settings) return undefined;
  const surplus = clone.instancesCreated >= settings.max;
  const child = unpackResource(cluster, settings.childElement, clone, String(clone.instancesCreated));
  if (!child) return undefined;
  defining(clone).instancesCreated++;
  defining(clone).children.push(child);
  if (surplus) for (const resource of subtree(child)) defining(resource).removed = true;
  defining(child).meta.set('clone-max', String(clone.clone.max));
  return child;
}

/** Default candidates at the end of each resource's own unpacking (specification 02 §1.1). */
export function enterDefaults(cluster: Cluster, resource: Resource): void {
  if (cluster.options.symmetric) {
    enterAllowed(cluster, resource);
  } else if (resource.remoteConnection && resource.meta.has('container')) {
    for (const node of cluster.nodes) {
      const { candidates } = resource;
      if (!candidates.has(node.index)) candidates.put(node.index, clampScore(node.baseScore), node.probeMode, NODE_SCORE);
    }
  }
}

function enterAllowed(cluster: Cluster, resource: Resource): void {
  for (const child of resource.children) enterAllowed(cluster, child);
  if (resource.exclusiveProbing) return;
  if (resource.candidates.size === 0) {
    resource.candidates.become(cluster.defaultCandidates());
    return;
  }
  for (const node of cluster.nodes) {
    if (node.probeMode !== ProbeMode.Never && !resource.candidates.has(node.index)) {
      resource.candidates.put(node.index, clampScore(node.baseScore), node.probeMode, NODE_SCORE);
    }
  }
}

/** Links each leaf that has a `container` to it (specification 02 §9.4). */
function linkLaunchers(cluster: Cluster, resource: Resource): void {
  if (!resource.isPrimitive) {
    for (const child of resource.children) linkLaunchers(cluster, child);
    return;
  }
  const name = resource.meta.get('container');
  if (name === undefined || name === resource.id || resource.launcher) return;
  const launcher = cluster.resourceNames.first(name);
  if (launcher) setLauncher(resource, launcher);
  else cluster.error(`Resource ${resource.id}: its container "${name}" is no resource`);
}

/** Makes one resource the launcher of another. */
export function setLauncher(resource: Resource, launcher: Resource): void {
  defining(resource).launcher = launcher;
  defining(launcher).launched.push(resource);
}

/** Connections in groups and clones have no node, even where one of their name is configured (specification 02 §9.1). */
function linkConnections(cluster: Cluster, resource: Resource): void {
  for (const one of subtree(resource))
    if (one.remoteConnection && (one.parent === undefined || one.parent.kind === 'bundle')) linkConnection(cluster, one);
}

/** Ties a remote connection to the node of its name (specification 03 §1.3, §1.4). */
export function linkConnection(cluster: Cluster, connection: Resource): void {
  const node = cluster.nodeByName(connection.id);
  if (!node?.remoteType) return;
  node.connection = connection;
  defining(connection).connectionNode = node;
  if (connection.launcher) node.attributes.set('#kind', 'container');
  else node.unclean = startupFencing(cluster);
}
