import type { XmlElement } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';
import { setWorkingPriority } from '../model/working-priority.js';
import { sameText } from '../model/names.js';
import type { MultipleActive, Resource } from '../model/resource.js';
import { parseRole, RoleLevel } from '../model/role.js';
import { INFINITY } from '../model/score.js';
import { agentInput } from '../operations/agent-input.js';

/** Assembles the meta-attribute table, the first layer that has a name wins (specification 02 §3.1). */
export function readMeta(cluster: Cluster, resource: Resource): void {
  const table = resource.meta;
  const input = agentInput(resource);
  for (const [name, value] of Object.entries(resource.element.attributes)) table.set(name, value);
  table.set('id', resource.xmlId);
  if (resource.instance !== undefined) table.set('clone', resource.instance);
  cluster.cib.fill(resource.element, 'meta_attributes', input, table);
  const inherited = new Map<string, string>();
  for (let up = resource.parent; up; up = up.parent) cluster.cib.fill(up.element, 'meta_attributes', input, inherited);
  addMissing(table, inherited);
  const defaults = cluster.cib.firstNamed('rsc_defaults');
  if (defaults) cluster.cib.fill(defaults, 'meta_attributes', input, table);
  if (resource.parent) addMissing(table, resource.parent.meta);
}

function addMissing(table: Map<string, string>, more: ReadonlyMap<string, string>): void {
  for (const [name, value] of more) if (!table.has(name)) table.set(name, value);
}

/** The settings that follow from the table, in the order in which they depend on one another (specification 02 §2 step 8, §3.3). */
export function applyMeta(cluster: Cluster, resource: Resource): void {
  const { meta } = resource;
  const { cib, options } = cluster;
  const flag = (name: string): boolean => cib.boolean(meta.get(name)) === true;
  const score = (name: string, fallback: number): number => {
    const text = meta.get(name);
    return text === undefined || sameText(text, 'default') ? fallback : (cluster.score(text) ?? fallback);
  };

  resource.priority = score('priority', 0);
  setWorkingPriority(cluster, resource, resource.priority, { kind: 'priority' });
  resource.critical = !meta.has('critical') || flag('critical');
  resource.notify = flag('notify');
  const { class: standard, provider, type } = resource.element.attributes;
  resource.remoteConnection =
    resource.isPrimitive && sameText(standard, 'ocf') && sameText(provider, 'pacemaker') && sameText(type, 'remote');
  const guest = resource.remoteConnection && meta.has('container');
  resource.allowMigrate = meta.has('allow-migrate') ? flag('allow-migrate') : resource.remoteConnection && !guest;
  resource.migratable = resource.allowMigrate;
  const managed = meta.get('is-managed');
  resource.managed = managed === undefined || sameText(managed, 'default') || flag('is-managed');
  if (flag('maintenance') || options.maintenanceMode) {
    resource.managed = false;
    resource.maintenance = true;
  }
  const top = resource.top;
  resource.unique =
    top.kind !== 'clone' || (meta.has('globally-unique') ? flag('globally-unique') : (cib.integer(meta.get('clone-node-max')) ?? 0) > 1);
  resource.promotable = top.kind === 'clone' && flag('promotable');
  resource.multipleActive = multipleActive(meta.get('multiple-active'));
  resource.stickiness = score('resource-stickiness', 0);
  resource.migrationThreshold = score('migration-threshold', INFINITY);
  if (resource.migrationThreshold < 0) resource.migrationThreshold = INFINITY;
  if (resource.isPrimitive && sameText(standard, 'stonith')) {
    resource.fenceDevice = true;
    cluster.hasFenceDevices = true;
  }
  applyRequires(cluster, resource);
  resource.failureTimeout = cib.interval(meta.get('failure-timeout'));
  resource.nextRole = targetRole(resource) ?? RoleLevel.Unknown;
}

function multipleActive(text: string | undefined): MultipleActive {
  const value = text?.toLowerCase();
  return value === 'block' || value === 'stop_only' || value === 'stop_unexpected' ? value : 'stop_start';
}

/** `requires` and its defaults (specification 02 §3.5). */
function applyRequires(cluster: Cluster, resource: Resource): void {
  const { options } = cluster;
  const text = resource.meta.get('requires')?.toLowerCase();
  let value = text;
  if (value !== 'nothing' && value !== 'quorum' && value !== 'fencing' && value !== 'unfencing') {
    if (text !== undefined) cluster.error(`Resource ${resource.id}: "${text}" is no valid "requires"; using the default`);
    if (resource.fenceDevice || resource.remoteConnection) value = 'quorum';
    else if (cluster.usesUnfencing) value = 'unfencing';
    else if (options.fencingEnabled) value = 'fencing';
    else value = options.quorumPolicy === 'ignore' ? 'nothing' : 'quorum';
  }
  if (value === 'unfencing' && (resource.fenceDevice || !options.fencingEnabled)) value = 'quorum';
  resource.needsQuorum = value === 'quorum';
  resource.needsFencing = value === 'fencing' || value === 'unfencing';
  resource.needsUnfencing = value === 'unfencing';
}

/** The ceiling that `target-role` sets, if it sets one (specification 02 §3.4). */
export function targetRole(resource: Resource): RoleLevel | undefined {
  const text = resource.meta.get('target-role');
  if (text === undefined) return undefined;
  const role = parseRole(text);
  if (role === RoleLevel.Stopped) return role;
  return role === RoleLevel.Unpromoted && resource.top.promotable ? role : undefined;
}

/** An operation child list, references resolved (specification 02 §2 step 3). */
export function readOperations(cluster: Cluster, element: XmlElement): readonly XmlElement[] {
  const own = element.children.find((child): child is XmlElement => child.kind === 'element' && child.name === 'operations');
  const resolved = own && cluster.cib.resolve(own);
  return resolved ? resolved.children.filter((child): child is XmlElement => child.kind === 'element' && child.name === 'op') : [];
}
