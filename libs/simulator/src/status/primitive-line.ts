import { type ClusterNode, currentNode, parseRole, type Resource, RoleLevel } from '@systole/scheduler';
import { displayedRole, displayNode, inParentheses, managementWord, type StatusView } from './display.js';

/** A connection that the cluster made for a guest or bundle node: it is listed only where everything is. */
export function isImplicitConnection(resource: Resource): boolean {
  return resource.remoteConnection && resource.meta.get('internal_rsc') === 'true';
}

/** The line of a primitive (specification 08 §6.3). */
export function primitiveLine(view: StatusView, resource: Resource): string {
  return stateLine(view, resource, listedName(resource), currentNode(resource));
}

/** The same below the node that it is on, which is not named again. */
export function lineBelowNode(view: StatusView, resource: Resource): string {
  return stateLine(view, resource, listedName(resource), currentNode(resource), false);
}

const listedName = ({ unique, id, xmlId }: Resource): string => (unique ? id : xmlId);

/** The same under another name and at another place, as replicas of bundles are shown (specification 08 §6.6). */
export function stateLine(
  view: StatusView,
  resource: Resource,
  name: string,
  current: ClusterNode | undefined,
  isNodeNamed = true,
): string {
  const node = displayNode(resource, current);
  const { class: standard = '', provider, type = '' } = resource.element.attributes;
  const agent = provider === undefined ? `${standard}:${type}` : `${standard}:${provider}:${type}`;
  let state = resource.removed ? ' ORPHANED' : '';
  if (resource.failed) state += resource.currentRole > RoleLevel.Unpromoted ? ' FAILED Promoted' : ' FAILED';
  else state += ` ${(view.showPending ? pendingState(resource) : undefined) ?? displayedRole(resource)}`;
  if (node && isNodeNamed) state += ` ${node.name}`;
  const failedProbe = resource.currentRole === RoleLevel.Stopped ? view.failedProbes.of(resource, node) : undefined;
  if (failedProbe !== undefined) state += ` (${failedProbe}) `;
  state += inParentheses(flags(view, resource, node));
  const { activeOn } = resource;
  if (activeOn.length > 1 && isNodeNamed) {
    const { description } = resource.element.attributes;
    state += `${description === undefined ? '' : ` (${description})`} [ ${activeOn.map((active) => active.name).join(' ')} ]`;
  }
  return `${name}\t(${agent}):\t${state}`;
}

const pendingStates: ReadonlyMap<string, string> = new Map([
  ['start', 'Starting'],
  ['stop', 'Stopping'],
  ['migrate_to', 'Migrating'],
  ['migrate_from', 'Migrating'],
  ['promote', 'Promoting'],
  ['demote', 'Demoting'],
]);

/** What an operation in progress does to the resource; undefined when it changes nothing. */
export function pendingState({ pendingAction }: Resource): string | undefined {
  return pendingAction === undefined ? undefined : pendingStates.get(pendingAction);
}

function flags(view: StatusView, resource: Resource, node: ClusterNode | undefined): (string | undefined)[] {
  const targetRole = resource.meta.get('target-role');
  const target = parseRole(targetRole);
  return [
    node && !node.online && node.unclean ? 'UNCLEAN' : undefined,
    node && node === resource.shutdownLock?.node ? 'LOCKED' : undefined,
    view.showPending && resource.pendingAction === 'monitor' && resource.pendingInterval > 0 ? 'Monitoring' : undefined,
    target === RoleLevel.Stopped ? 'disabled' : undefined,
    target === RoleLevel.Unpromoted && resource.top.promotable ? `target-role:${targetRole ?? ''}` : undefined,
    managementWord(resource),
    resource.failureIgnored ? 'failure ignored' : undefined,
  ];
}
