import { type Cluster, type ClusterNode, isActive, leaves, type Resource, RoleLevel, roleName } from '@systole/scheduler';
import { FailedProbes } from './failed-probes.js';

/** How a resource list is printed. */
export interface StatusView {
  readonly cluster: Cluster;
  /** Operations in progress are shown, too. */
  readonly showPending: boolean;
  readonly failedProbes: FailedProbes;
  /** What is stopped is left out. */
  readonly activeOnly?: boolean;
  /** Each instance of a clone has its own line, and so have the connections of guests. */
  readonly instances?: boolean;
  /** Resources, nodes: those that are shown; all when undefined. */
  readonly isShown?: (resource: Resource) => boolean;
  readonly isNodeShown?: (node: ClusterNode) => boolean;
}

export function statusView(cluster: Cluster, showPending: boolean): StatusView {
  return { cluster, showPending, failedProbes: new FailedProbes(cluster) };
}

/** Whether a list has a line for it, or for something in it. */
export function hasLine(view: StatusView, resource: Resource): boolean {
  return view.isShown?.(resource) !== false && (view.activeOnly !== true || [...leaves(resource)].some(isActive));
}

/**
 * The node beside a resource in the list (specification 08 §6.3): none for one that is active on several.
 *
 * @param current where it, or for a bundle's replica its container, is now.
 */
export function displayNode(resource: Resource, current: ClusterNode | undefined): ClusterNode | undefined {
  if (resource.activeOn.length > 1) return undefined;
  const isProbe = resource.pendingAction === 'monitor' && resource.pendingInterval === 0;
  return current ?? (isProbe ? undefined : resource.pendingNode) ?? resource.shutdownLock?.node;
}

/** A role as the list shows it: instances of promotable clones have no plain "Started". */
export function displayedRole(resource: Resource): string {
  return roleName(resource.currentRole === RoleLevel.Started && resource.top.promotable ? RoleLevel.Unpromoted : resource.currentRole);
}

/** ` (a, b)`, or nothing. */
export function inParentheses(words: readonly (string | undefined)[]): string {
  const present = words.filter((word) => word !== undefined);
  return present.length === 0 ? '' : ` (${present.join(', ')})`;
}

/** The word for a resource that the cluster keeps its hands off. */
export function managementWord({
  blocked,
  maintenance,
  managed,
}: Pick<Resource, 'blocked' | 'maintenance' | 'managed'>): string | undefined {
  return blocked ? 'blocked' : maintenance ? 'maintenance' : managed ? undefined : 'unmanaged';
}
