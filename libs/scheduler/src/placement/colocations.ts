import { insertColocation } from '../requests/colocations.js';
import type { Colocation } from '../model/constraints.js';
import type { Resource } from '../model/resource.js';
import { INFINITY } from '../model/score.js';

/** Of the resource in a colocation: the dependent, or the primary. */
export type Side = 'thisWith' | 'withThis';

/** Colocations in which the resource is the dependent, inherited ones included (specification 04 §7, 05 §4). */
export function thisWithColocations(resource: Resource): readonly Colocation[] {
  return effectiveColocations(resource, 'thisWith');
}

/** Colocations in which the resource is the primary, inherited ones included. */
export function withThisColocations(resource: Resource): readonly Colocation[] {
  return effectiveColocations(resource, 'withThis');
}

/** Whether colocations of others may hold for the resource, too; otherwise its own list is all. */
export function inheritsColocations(resource: Resource, side: Side): boolean {
  const { parent, kind } = resource;
  if (!parent) return kind === 'group';
  return side === 'thisWith' || parent.kind !== 'group' || representative(parent, side) === resource;
}

/** The member that a group's own colocations hold for: the first must get along with their primaries, their dependents follow the last. */
function representative(group: Resource, side: Side): Resource | undefined {
  return side === 'thisWith' ? group.children[0] : group.children.at(-1);
}

/** Colocations of one side, inherited ones included. */
export function effectiveColocations(resource: Resource, side: Side): readonly Colocation[] {
  if (!inheritsColocations(resource, side)) return resource[side];
  const list: Colocation[] = [];
  contribute(resource, resource, list, side);
  return list;
}

function addAll(list: Colocation[], more: readonly Colocation[], side: Side): void {
  if (list.length === 0) for (const colocation of more) list.push(colocation);
  else for (const colocation of more) insertColocation(list, colocation, side === 'thisWith' ? 'primary' : 'dependent');
}

function contribute(resource: Resource, asker: Resource, list: Colocation[], side: Side): void {
  const { parent } = resource;
  switch (resource.kind) {
    case 'primitive':
      if (asker === resource) {
        addAll(list, resource[side], side);
        if (parent) contribute(parent, asker, list, side);
      } else {
        for (const colocation of resource[side])
          if (colocation.explicit) insertColocation(list, colocation, side === 'thisWith' ? 'primary' : 'dependent');
      }
      break;
    case 'group':
      contributeGroup(resource, asker, list, side);
      break;
    case 'clone':
      addAll(list, resource[side], side);
      if (parent) contribute(parent, asker, list, side);
      break;
    case 'bundle':
      if (bundleContributes(resource, asker)) addAll(list, resource[side], side);
  }
}

function contributeGroup(group: Resource, asker: Resource, list: Colocation[], side: Side): void {
  if (asker === group || asker === representative(group, side)) {
    addAll(list, group[side], side);
    if (group.parent) contribute(group.parent, asker, list, side);
    if (group.colocated) for (const member of group.children) if (member !== asker) contribute(member, asker, list, side);
    return;
  }
  if (side === 'withThis' || !group.thisWith.some(({ score }) => score === INFINITY)) return;
  for (const member of group.children) {
    if (member === asker) return;
    if (member.managed) continue;
    // What comes before it stays where it is, so the group's mandatory colocations can't reach it through the chain.
    for (const colocation of group.thisWith) if (colocation.score === INFINITY) insertColocation(list, colocation, 'primary');
    return;
  }
}

/** Which parts of a bundle share the bundle's own colocations, and when (specification 05 §4). */
function bundleContributes(bundle: Resource, asker: Resource): boolean {
  if (asker === bundle || asker.replica?.container === asker) return true;
  const inner = bundle.bundle?.inner;
  if (!inner?.promotable) return false;
  if (asker === inner) return inner.rolesBegun;
  return asker.parent === inner && !asker.unassigned;
}

/** Whether the dependent's preferences may move the primary (specification 04 §7.3); `primary` is the configured one unless said otherwise. */
export function hasInfluence(colocation: Colocation, primary = colocation.primary): boolean {
  const { dependent } = colocation;
  if (dependent.replica?.connection === dependent && !primary.failed && primary.activeOn.length === 1) return false;
  return colocation.influence || primary.activeOn.length === 0;
}
