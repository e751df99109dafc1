import { childElements, childrenNamed, element, type XmlElement, type XmlNode } from '@systole/cib';
import type { Cluster } from '../../model/cluster.js';
import type { Resource } from '../../model/resource.js';

/** Order of tags and their members (specification 01 §9): equal ids are joined, duplicates kept once. */
export function unpackTags(cluster: Cluster): void {
  const section = cluster.cib.firstNamed('tags');
  const tags = new Map<string, Set<string>>();
  for (const { name, attributes, children } of section ? childElements(section) : []) {
    if (name !== 'tag' || attributes['id'] === undefined) continue;
    let members = tags.get(attributes['id']);
    if (!members) tags.set(attributes['id'], (members = new Set()));
    for (const child of children) {
      if (child.kind !== 'element' || child.name !== 'obj_ref') continue;
      const { id } = child.attributes;
      if (id !== undefined) members.add(id);
    }
  }
  for (const [tag, members] of tags) cluster.tags.set(tag, [...members]);
}

/**
 * The resource that a constraint means (specification 04 §4.1 rule 1): found by id or by the id that history uses; in the latter case
 * its topmost resource.
 */
export function constraintResource(cluster: Cluster, id: string | undefined): Resource | undefined {
  if (id === undefined) return undefined;
  const found = cluster.resourceNames.first(id);
  return found && found.id !== id ? found.top : found;
}

/** Ids that a template or tag stands for; undefined when the name is neither. */
function membersOf(cluster: Cluster, name: string): readonly string[] | undefined {
  const users = cluster.templateUsers.get(name);
  return users ? [...users] : cluster.tags.get(name);
}

/**
 * Replaces references to templates and tags in a constraint's sets by their members, for the whole constraint or not at all
 * (specification 01 §9).
 */
function expandSets(cluster: Cluster, constraint: XmlElement): XmlElement {
  const children: XmlNode[] = [];
  for (const child of constraint.children) {
    if (child.kind !== 'element' || child.name !== 'resource_set' || child.attributes['id-ref'] !== undefined) {
      children.push(child);
      continue;
    }
    const references: XmlNode[] = [];
    for (const reference of childElements(child)) {
      const ids = reference.name === 'resource_ref' ? expandReference(cluster, reference.attributes['id'] ?? '') : [];
      if (!ids) return constraint;
      for (const id of ids) references.push(element('resource_ref', { id }));
    }
    children.push(element(child.name, child.attributes, references));
  }
  return element(constraint.name, constraint.attributes, children);
}

/** A name, and the tag in which it was found. */
interface Named {
  readonly id: string;
  readonly within: Named | undefined;
}

/** Whether a name stands for itself in the end. */
function isCircular({ id, within }: Named): boolean {
  for (let up = within; up; up = up.within) if (up.id === id) return true;
  return false;
}

/** Resources that a reference means, tags inside tags resolved; undefined when a name is unknown. */
function expandReference(cluster: Cluster, name: string): string[] | undefined {
  const found: string[] = [];
  const pending: Named[] = [{ id: name, within: undefined }];
  for (let at = pending.pop(); at; at = pending.pop()) {
    cluster.expansion.addMembers(1);
    if (constraintResource(cluster, at.id)) {
      found.push(at.id);
      continue;
    }
    const members = isCircular(at) ? undefined : membersOf(cluster, at.id);
    if (!members) return undefined;
    for (let index = members.length - 1; index >= 0; index--) pending.push({ id: members[index] ?? '', within: at });
  }
  return found;
}

/** A set made from the attribute of a simple constraint: a template's or tag's members, or one plain resource (specification 04 §6.2). */
function setFromName(
  constraintId: string,
  attribute: string,
  name: string,
  members: readonly string[] | undefined,
  attributes: Readonly<Record<string, string>>,
): XmlElement {
  const sequential = members ? { sequential: 'false' } : {};
  return element(
    'resource_set',
    { id: `${constraintId}-${attribute}-${name}`, ...sequential, ...attributes },
    (members ?? [name]).map((id) => element('resource_ref', { id })),
  );
}

/** The resolved sets of a constraint, in document order; ends at the first one that can't be resolved. */
export function resolvedSets(cluster: Cluster, constraint: XmlElement): readonly XmlElement[] {
  const sets: XmlElement[] = [];
  for (const child of childElements(constraint)) {
    if (child.name !== 'resource_set') continue;
    const set = cluster.cib.resolve(child);
    if (!set) {
      cluster.error(`Constraint ${constraint.attributes['id'] ?? ''}: there is no resource set "${child.attributes['id-ref'] ?? ''}"`);
      return sets;
    }
    sets.push(set);
  }
  return sets;
}

/** References of a set, in order; unknown ones are undefined. */
export function setMembers(cluster: Cluster, set: XmlElement): (Resource | undefined)[] {
  const references = childElements(set).filter(({ name }) => name === 'resource_ref');
  cluster.expansion.addMembers(references.length);
  return references.map(({ attributes }) => constraintResource(cluster, attributes['id']));
}

/** Says of a set's first reference that names no resource why that is; undefined when all of them do. */
export function unknownReference(cluster: Cluster, set: XmlElement): string | undefined {
  const unknown = childrenNamed(set, 'resource_ref').find(({ attributes }) => !constraintResource(cluster, attributes['id']));
  return unknown && unknownName(cluster, unknown.attributes['id'] ?? '');
}

/** Why a name means nothing in a constraint, for whoever wrote it. */
export function unknownName(cluster: Cluster, name: string): string {
  if (membersOf(cluster, name)) return `"${name}" stands for nothing, because a name in the constraint or among its members is unknown`;
  const inClone = cluster.resourceNames.has(`${name}:0`);
  return `"${name}" is no resource, template or tag${inClone ? ' (a primitive in a clone is known by its own id only once it has run there: name the clone)' : ''}`;
}

/** Whether a constraint names its resources by sets. */
export function hasSets(constraint: XmlElement): boolean {
  return constraint.children.some((child) => child.kind === 'element' && child.name === 'resource_set');
}

/**
 * Calls for each resource that a location or ticket constraint names, by its sets or by `rsc`, which may be a template or tag; with the set by which it is
 * named, if it is one (specification 01 §9).
 *
 * @param kind what the constraint is called in messages
 * @param roleAttribute where a constraint without sets has the role
 * @returns false at an unknown name, which ends the constraint
 */
export function forEachNamed(
  cluster: Cluster,
  written: XmlElement,
  kind: string,
  roleAttribute: 'role' | 'rsc-role',
  visit: (resource: Resource, set: XmlElement | undefined) => void,
): boolean {
  const { id = '', rsc, [roleAttribute]: role } = written.attributes;
  const inSet = (set: XmlElement): boolean => {
    for (const resource of setMembers(cluster, set)) {
      if (!resource) {
        cluster.error(`${kind} constraint ${id}: ignoring the rest of it: ${unknownReference(cluster, set) ?? ''}`);
        return false;
      }
      visit(resource, set);
    }
    return true;
  };
  if (hasSets(written)) return resolvedSets(cluster, expandSets(cluster, written)).every(inSet);
  if (rsc === undefined) return true;
  const resource = constraintResource(cluster, rsc);
  if (resource) {
    visit(resource, undefined);
    return true;
  }
  const members = membersOf(cluster, rsc);
  if (members) return inSet(setFromName(id, 'rsc', rsc, members, role === undefined ? {} : { role }));
  cluster.error(`Ignoring ${kind.toLowerCase()} constraint ${id}: ${unknownName(cluster, rsc)}`);
  return false;
}

/** One side of a constraint between two resources: the attribute that names it, the one that says more, and what a set calls that. */
interface Side {
  readonly name: string;
  readonly detail: string;
  readonly inSet: 'role' | 'action';
}

/** A constraint on two resources, or on sets. */
interface InSets {
  readonly constraint: XmlElement;
  /** Each of two sides is a template or a tag, which not every constraint may have. */
  readonly bothExpanded: boolean;
}

/** A simple constraint that names a template or tag becomes two sets (specification 04 §6.2, 07 §6.3); undefined when a side is missing. */
export function inSets(cluster: Cluster, constraint: XmlElement, sides: readonly [Side, Side]): InSets | undefined {
  if (hasSets(constraint)) return { constraint: expandSets(cluster, constraint), bothExpanded: false };
  const { attributes } = constraint;
  const { id = '' } = attributes;
  const named = sides.flatMap(({ name, detail, inSet }) => {
    const rsc = attributes[name];
    const more = attributes[detail];
    if (rsc === undefined) return [];
    const members = constraintResource(cluster, rsc) ? undefined : membersOf(cluster, rsc);
    return [{ members, set: setFromName(id, name, rsc, members, more === undefined ? {} : { [inSet]: more }) }];
  });
  if (named.length < sides.length) return undefined;
  if (named.every(({ members }) => !members)) return { constraint, bothExpanded: false };
  const replaced = sides.flatMap(({ name, detail }) => [name, detail]);
  const sets = named.map(({ set }) => set);
  return {
    constraint: element(constraint.name, without(attributes, replaced), sets),
    bothExpanded: named.every(({ members }) => members !== undefined),
  };
}

/** A copy of attributes without some of them. */
function without(attributes: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
}
