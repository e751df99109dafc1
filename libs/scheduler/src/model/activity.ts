import { addPreference, addPreferenceEverywhere, type Cluster } from './cluster.js';
import type { DeepReadonly } from './deep-readonly.js';
import type { ClusterNode } from './node.js';
import type { Resource } from './resource.js';
import { parseRole, RoleLevel } from './role.js';
import { INFINITY } from './score.js';
import type { ScoreCause } from './score-trail.js';

/** How many active nodes count: all if fencing is required, else the online clean ones (specification 03 §11.2). */
export function activeCount(resource: Resource): number {
  return resource.needsFencing ? resource.activeOn.length : resource.activeOn.filter((node) => node.clean).length;
}

export function isMultiplyActive(resource: Resource): boolean {
  return resource.activeOn.length > 1 && activeCount(resource) > 1;
}

/** The predicate "active" (specification 03 §11.2), which skips offline nodes of managed resources. */
export function isActive(resource: DeepReadonly<Resource>): boolean {
  if (!resource.isPrimitive) return resource.children.some(isActive);
  return resource.activeOn.some((node) => node.unclean || node.online || !resource.managed);
}

/** Active everywhere below: all members of a group, all instances of a clone. */
export function isEntirelyActive(resource: DeepReadonly<Resource>): boolean {
  return resource.isPrimitive ? isActive(resource) : resource.children.length > 0 && resource.children.every(isEntirelyActive);
}

/** The highest current role among a collection's primitives (specification 03 §11.2). */
export function currentRole(resource: DeepReadonly<Resource>): RoleLevel {
  if (resource.isPrimitive) return resource.currentRole;
  if (resource.kind === 'bundle') return RoleLevel.Unknown;
  return resource.children.reduce<RoleLevel>((highest, child) => Math.max(highest, currentRole(child)), RoleLevel.Unknown);
}

/** The highest next role among a collection's primitives (specification 05 §1). */
export function nextRole(resource: DeepReadonly<Resource>): RoleLevel {
  if (resource.isPrimitive) return resource.nextRole;
  if (resource.kind === 'bundle') return RoleLevel.Unknown;
  return resource.children.reduce<RoleLevel>((highest, child) => Math.max(highest, nextRole(child)), RoleLevel.Unknown);
}

/** What tells where a resource is now: on nodes to be written, or to be read only. */
interface Located<Node> extends Pick<Resource, 'kind' | 'needsFencing'> {
  readonly activeOn: readonly Node[];
  readonly partialSource: Node | undefined;
  readonly bundle: { readonly replicas: readonly { readonly container: Located<Node> }[] } | undefined;
}

/** The one node picked among the active ones (specification 04 §2.6; bundles: 05 §13.7). */
export function currentNode<Node extends Pick<ClusterNode, 'clean'>>(resource: Located<Node>): Node | undefined {
  if (resource.kind === 'bundle') return bundleCurrentNode(resource);
  return pickCurrent(resource, resource.activeOn);
}

function pickCurrent<Node extends Pick<ClusterNode, 'clean'>>(resource: Located<Node>, active: readonly Node[]): Node | undefined {
  const [first] = active;
  if (!first) return undefined;
  if (resource.partialSource) return active.includes(resource.partialSource) ? resource.partialSource : first;
  if (resource.needsFencing) return first;
  return active.find((node) => node.clean) ?? first;
}

function bundleCurrentNode<Node extends Pick<ClusterNode, 'clean'>>(bundle: Located<Node>): Node | undefined {
  const containers = (bundle.bundle?.replicas ?? []).map(({ container }) => container).filter(({ activeOn }) => activeOn.length > 0);
  const [only] = containers;
  if (!only) return undefined;
  if (containers.length === 1) return currentNode(only);
  const nodes = [...new Set(containers.flatMap(({ activeOn }) => activeOn))];
  return bundle.needsFencing ? nodes[0] : (nodes.find((node) => node.clean) ?? nodes[0]);
}

/** The resource and the topmost resource that stands for all instances of an anonymous clone (specification 04 §3). */
export function banTarget(resource: Resource): Resource {
  return resource.unique ? resource : resource.top;
}

/** -INFINITY on a node; a ban from everywhere without one. */
export function ban(cluster: Cluster, resource: Resource, node: ClusterNode | undefined, cause: ScoreCause): void {
  if (node) addPreference(resource, node, -INFINITY, cause);
  else addPreferenceEverywhere(cluster, resource, -INFINITY, cause);
}

/** Whether `target-role` keeps a resource from running as it could: the "disabled" of lists and counts (specification 08 §2.5). */
export function isDisabled(resource: DeepReadonly<Resource>): boolean {
  const role = parseRole(resource.meta.get('target-role'));
  return role === RoleLevel.Stopped || (role === RoleLevel.Unpromoted && resource.top.promotable);
}
