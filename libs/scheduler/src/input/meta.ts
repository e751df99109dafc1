import { fillMetaAttributes, isGloballyUnique, isInMaintenance, isManaged, type XmlElement } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';
import { sameText } from '../model/names.js';
import type { MultipleActive, Resource } from '../model/resource.js';
import { defining } from '../model/resource/defining.js';
import { parseRole, RoleLevel } from '../model/role.js';
import { INFINITY } from '../model/score.js';
import { agentInput } from '../operations/agent-input.js';

/** Assembles the meta-attribute table, the first layer that has a name wins (specification 02 §3.1). */
export function readMeta(cluster: Cluster, resource: Resource): void {
  const { element, xmlId, instance, parent } = resource;
  const sources = { element, id: xmlId, instance, ancestors: ancestorsOf(resource), parentMeta: parent?.meta };
  fillMetaAttributes(cluster.cib.evaluation, sources, agentInput(resource), defining(resource).meta);
}

function* ancestorsOf({ parent }: Resource): Generator<XmlElement, void, undefined> {
  for (let up = parent; up; up = up.parent) yield up.element;
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

  defining(resource).priority = score('priority', 0);
  defining(resource).critical = !meta.has('critical') || flag('critical');
  defining(resource).notify = flag('notify');
  const { class: standard, provider, type } = resource.element.attributes;
  defining(resource).remoteConnection =
    resource.isPrimitive && sameText(standard, 'ocf') && sameText(provider, 'pacemaker') && sameText(type, 'remote');
  const guest = resource.remoteConnection && meta.has('container');
  defining(resource).allowMigrate = meta.has('allow-migrate') ? flag('allow-migrate') : resource.remoteConnection && !guest;
  defining(resource).maintenanceAsDefined = options.maintenanceMode || isInMaintenance(meta);
  defining(resource).managedAsDefined = !resource.maintenance && isManaged(meta);
  const top = resource.top;
  defining(resource).unique = top.kind !== 'clone' || isGloballyUnique(meta);
  defining(resource).promotable = top.kind === 'clone' && flag('promotable');
  defining(resource).multipleActive = multipleActive(meta.get('multiple-active'));
  defining(resource).stickiness = score('resource-stickiness', 0);
  defining(resource).migrationThreshold = score('migration-threshold', INFINITY);
  if (resource.migrationThreshold < 0) defining(resource).migrationThreshold = INFINITY;
  if (resource.isPrimitive && sameText(standard, 'stonith')) {
    defining(resource).fenceDevice = true;
    cluster.hasFenceDevices = true;
  }
  applyRequires(cluster, resource);
  defining(resource).failureTimeoutAsDefined = cib.interval(meta.get('failure-timeout'));
  defining(resource).nextRole = targetRole(resource) ?? RoleLevel.Unknown;
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
  defining(resource).needsQuorum = value === 'quorum';
  defining(resource).needsFencing = value === 'fencing' || value === 'unfencing';
  defining(resource).needsUnfencing = value === 'unfencing';
}

/** The ceiling that `target-role` sets, if it sets one (specification 02 §3.4). */
export function targetRole(resource: Resource): RoleLevel | undefined {
  const text = resource.meta.get('target-role');
  if (text === undefined) return undefined;
  const role = parseRole(text);
  if (role === RoleLevel.Stopped) return role;
  return role === RoleLevel.Unpromoted && resource.top.promotable ? role : undefined;
}
