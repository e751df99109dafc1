import { parameters } from '../operations/parameters.js';
import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import { sameText } from '../model/names.js';
import type { ClusterNode } from '../model/node.js';
import { remembered } from '../model/remembered.js';
import type { Resource } from '../model/resource.js';
import { compareBytes } from '../model/names.js';
import { currentNode } from '../model/activity.js';
import { bundleAddress } from '../operations/digests.js';
import type { GraphAction } from './transition-graph.js';

/** The feature set that this scheduler speaks; cluster agents compare it. */
export const FEATURE_SET = '3.20.5';

/** A parameter whose name can't be that of an attribute. */
type Param = NonNullable<GraphAction['params']>[number];

/**
 * The `attributes` elements of one graph (specification 08 §3.9, 02 §13). Most actions have the same names as the one before, which are made and sorted once;
 * and equal elements, as all probes of a node have, are one object.
 */
export class GraphAttributes {
  /** What meta values are called in the graph; undefined for those that aren't written. */
  private readonly metaNames = new Map<string, string | undefined>();
  private lastNames: readonly string[] = [];
  private lastSorted: readonly string[] = [];
  /** Elements with these names, by their values in the order of the names. */
  private lastMade = new Map<string, Record<string, string>>();
  /** The same for all names, by the names. */
  private readonly made = new Map<string, Map<string, Record<string, string>>>();

  constructor(private readonly cluster: Cluster) {}

  /** Content of an action's element, and the parameters that can't be attributes. */
  of(action: Action, showsNode: boolean): { attributes: Record<string, string>; params: readonly Param[] } {
    const values = new Map<string, string>([['crm_feature_set', FEATURE_SET]]);
    const { resource, node } = action;
    for (const [name, value] of action.parameters ?? []) if (!values.has(name)) values.set(name, value);
    const params = resource?.isPrimitive ? this.addParameters(values, resource, node) : [];
    for (const [name, value] of action.meta.entries()) {
      const key = this.metaName(name);
      if (key !== undefined && !values.has(key)) values.set(key, value);
    }
    if (showsNode && node) {
      values.set('CRM_meta_on_node', node.name);
      values.set('CRM_meta_on_node_uuid', node.id);
    }
    if (resource) addResourceMeta(values, resource);
    addGuestMeta(values, action);
    return { attributes: this.sorted(values), params };
  }

  /** Adds the parameters of a primitive, but for the ones that it returns. */
  private addParameters(values: Map<string, string>, resource: Resource, node: ClusterNode | undefined): Param[] {
    const params: Param[] = [];
    for (const [name, value] of parameters(this.cluster, resource, node)) {
      if (/^[0-9]/.test(name)) params.push({ name, value });
      else if (!values.has(name)) values.set(name, name === 'addr' ? addressOf(resource, value) : value);
    }
    return params;
  }

  private metaName(name: string): string | undefined {
    if (!this.metaNames.has(name)) {
      this.metaNames.set(name, name.includes('#') || name.includes(':') ? undefined : `CRM_meta_${name.replaceAll('-', '_')}`);
    }
    return this.metaNames.get(name);
  }

  private sorted(values: ReadonlyMap<string, string>): Record<string, string> {
    const names = [...values.keys()];
    if (names.length !== this.lastNames.length || names.some((name, place) => name !== this.lastNames[place])) {
      this.lastNames = names;
      this.lastSorted = names.toSorted(compareBytes);
      this.lastMade = remembered(this.made, names.join('\n'), () => new Map<string, Record<string, string>>());
    }
    // No text of a CIB holds the separator.
    return remembered(this.lastMade, [...values.values()].join('\0'), () => this.element(values));
  }

  private element(values: ReadonlyMap<string, string>): Record<string, string> {
    // An assignment makes no attribute of that name.
    if (values.has('__proto__')) return Object.fromEntries(this.lastSorted.map((name) => [name, values.get(name) ?? '']));
    const attributes: Record<string, string> = {};
    for (const name of this.lastSorted) attributes[name] = values.get(name) ?? '';
    return attributes;
  }
}

function addressOf(resource: Resource, value: string): string {
  return resource.replica && sameText(value, '#uname') ? (bundleAddress(resource) ?? value) : value;
}

/** What the resource and its ancestors add (specification 02 §13.3, §13.4). */
function addResourceMeta(values: Map<string, string>, resource: Resource): void {
  let container: string | undefined;
  for (let at: Resource | undefined = resource; at; at = at.parent) {
    if (at.launcher) container = at.launcher.id;
    if (at.isPrimitive) {
      if (at.instance !== undefined) values.set('CRM_meta_clone', at.instance);
      const remote = at.meta.get('remote-node');
      if (remote !== undefined) values.set('CRM_meta_remote_node', remote);
      const ip = at.meta.get('external-ip');
      if (ip !== undefined) values.set('pcmk_external_ip', ip);
    }
    const { clone } = at;
    if (!clone) continue;
    values.set('CRM_meta_globally_unique', at.unique ? 'true' : 'false');
    values.set('CRM_meta_notify', at.notify ? 'true' : 'false');
    values.set('CRM_meta_clone_max', String(clone.max));
    values.set('CRM_meta_clone_node_max', String(clone.nodeMax));
    if (!at.promotable) continue;
    for (const prefix of ['promoted', 'master']) {
      values.set(`CRM_meta_${prefix}_max`, String(clone.promotedMax));
      values.set(`CRM_meta_${prefix}_node_max`, String(clone.promotedNodeMax));
    }
  }
  if (container !== undefined && resource.isPrimitive) values.set('CRM_meta_container', container);
}

const onCurrentHost = new Set(['stop', 'stopped', 'demote', 'demoted']);
const onNextHost = new Set(['start', 'running', 'monitor', 'promote', 'promoted']);

/** The task that decides where an action is carried out; for notifications that of the phase. */
export function effectiveTask(action: Action): string {
  return action.task === 'notify' || action.task === 'notified' ? (action.meta.get('notify_operation') ?? action.task) : action.task;
}

/** The host of a guest, as the action will find it (specification 02 §13.5). */
function guestHost(action: Action): ClusterNode | undefined {
  const launcher = action.node?.connection?.launcher;
  if (!launcher) return undefined;
  const task = effectiveTask(action);
  if (onCurrentHost.has(task)) return currentNode(launcher);
  return onNextHost.has(task) ? launcher.assignedNode : undefined;
}

function addGuestMeta(values: Map<string, string>, action: Action): void {
  if (!action.resource || !action.node?.isGuest) return;
  const host = guestHost(action);
  if (!host) return;
  const target = action.resource.meta.get('container-attribute-target');
  if (target !== undefined && !values.has('CRM_meta_container_attribute_target')) values.set('CRM_meta_container_attribute_target', target);
  if (!values.has('CRM_meta_physical_host')) values.set('CRM_meta_physical_host', host.name);
}
