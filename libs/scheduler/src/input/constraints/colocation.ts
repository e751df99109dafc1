import { childrenNamed, type XmlElement } from '@systole/cib';
import type { Cluster } from '../../model/cluster.js';
import type { Resource } from '../../model/resource.js';
import { parseRole, RoleLevel } from '../../model/role.js';
import { addColocation } from '../../requests/colocations.js';
import { constraintResource, hasSets, inSets, resolvedSets, setMembers, unknownName, unknownReference } from './references.js';

const SIDES = [
  { name: 'rsc', detail: 'rsc-role', inSet: 'role' },
  { name: 'with-rsc', detail: 'with-rsc-role', inSet: 'role' },
] as const;

/** `rsc_colocation` (specification 04 §6). */
export function unpackColocation(cluster: Cluster, written: XmlElement): void {
  const { id } = written.attributes;
  if (id === undefined) return;
  const read = inSets(cluster, written, SIDES);
  if (!read) return;
  const { constraint } = read;
  if (read.bothExpanded) {
    cluster.error(`Ignoring colocation ${id}: only one side may be a template or tag`);
    return;
  }
  const score = scoreOf(cluster, constraint);
  if (score === undefined) {
    cluster.error(`Ignoring colocation ${id}: its score is not valid`);
    return;
  }
  if (hasSets(constraint)) unpackSets(cluster, constraint, id, score);
  else if (score !== 0) unpackSimple(cluster, constraint, id, score);
}

function scoreOf(cluster: Cluster, of: XmlElement): number | undefined {
  const { score } = of.attributes;
  return score === undefined ? 0 : cluster.score(score);
}

/** No role limit is undefined; `invalid` when the text is no role (specification 04 §6.1 rule 3). */
function colocationRole(text: string | undefined): RoleLevel | undefined | 'invalid' {
  if (text === undefined) return undefined;
  const role = parseRole(text);
  if (role === undefined || role === RoleLevel.Unknown) return 'invalid';
  return role === RoleLevel.Started ? undefined : role;
}

function influence(cluster: Cluster, constraint: XmlElement, asked: Resource): boolean {
  return cluster.cib.boolean(constraint.attributes['influence']) ?? asked.critical;
}

function unpackSimple(cluster: Cluster, constraint: XmlElement, id: string, score: number): void {
  const { attributes } = constraint;
  const dependent = constraintResource(cluster, attributes['rsc']);
  const primary = constraintResource(cluster, attributes['with-rsc']);
  const dependentRole = colocationRole(attributes['rsc-role']);
  const primaryRole = colocationRole(attributes['with-rsc-role']);
  if (!dependent || !primary || dependentRole === 'invalid' || primaryRole === 'invalid') {
    const { rsc = '', 'with-rsc': withRsc = '' } = attributes;
    const unknown = dependent ? (primary ? 'a role is none' : unknownName(cluster, withRsc)) : unknownName(cluster, rsc);
    cluster.error(`Ignoring colocation ${id}: ${unknown}`);
    return;
  }
  addColocation(cluster, {
    id,
    dependent,
    primary,
    score,
    dependentRole,
    primaryRole,
    nodeAttribute: attributes['node-attribute'] ?? '#uname',
    explicit: true,
    influence: influence(cluster, constraint, dependent),
  });
}

/** Pairs inside the sets and between consecutive ones (specification 04 §6.3). */
function unpackSets(cluster: Cluster, constraint: XmlElement, id: string, score: number): void {
  let previous: XmlElement | undefined;
  for (const set of resolvedSets(cluster, constraint)) {
    if (set.attributes['id'] === undefined) continue;
    const unknown = unknownReference(cluster, set);
    if (unknown !== undefined) cluster.error(`Colocation set ${set.attributes['id']}: not all of its pairs are made: ${unknown}`);
    unpackInside(cluster, constraint, set, score);
    if (previous && score !== 0) unpackBetween(cluster, constraint, previous, set, id, score);
    previous = set;
  }
}

const isSequential = (cluster: Cluster, set: XmlElement): boolean =>
  set.attributes['sequential'] === undefined || cluster.cib.boolean(set.attributes['sequential']) === true;

/** Pairs inside one set; an unknown reference ends them. */
function unpackInside(cluster: Cluster, constraint: XmlElement, set: XmlElement, constraintScore: number): void {
  const score = set.attributes['score'] === undefined ? constraintScore : cluster.score(set.attributes['score']);
  const role = colocationRole(set.attributes['role']);
  if (score === undefined || score === 0 || role === 'invalid' || !isSequential(cluster, set)) return;
  const pairs = score < 0 ? pairsApart(cluster, set) : pairsTogether(cluster, set);
  for (const { dependent, primary, asked } of pairs) {
    addColocation(cluster, {
      id: set.attributes['id'] ?? '',
      dependent,
      primary,
      score,
      dependentRole: role,
      primaryRole: role,
      nodeAttribute: '#uname',
      explicit: true,
      influence: influence(cluster, constraint, asked),
    });
  }
}

/** A pair inside a set, and the resource that is asked whether it is critical. */
interface InnerPair {
  readonly dependent: Resource;
  readonly primary: Resource;
  readonly asked: Resource;
}

/** Each with its predecessor, or the other way round. */
function* pairsTogether(cluster: Cluster, set: XmlElement): Generator<InnerPair, undefined> {
  const grouped = (set.attributes['ordering'] ?? 'group') === 'group';
  const members = setMembers(cluster, set);
  cluster.expansion.addPairs(members.length);
  let last: Resource | undefined;
  for (const member of members) {
    if (!member) return;
    if (last) yield { dependent: grouped ? member : last, primary: grouped ? last : member, asked: member };
    last = member;
  }
}

/** Each with all before it; who is named by another id than its own, with all that the set names, itself included. */
function* pairsApart(cluster: Cluster, set: XmlElement): Generator<InnerPair, undefined> {
  const members = setMembers(cluster, set);
  const ids = childrenNamed(set, 'resource_ref').map(({ attributes }) => attributes['id']);
  for (const dependent of members) {
    if (!dependent) return;
    const own = ids.indexOf(dependent.id);
    const primaries = own < 0 ? members : members.slice(0, own);
    cluster.expansion.addPairs(primaries.length);
    for (const primary of primaries) {
      if (!primary) return;
      yield { dependent, primary, asked: dependent };
    }
  }
}

function unpackBetween(
  cluster: Cluster,
  constraint: XmlElement,
  dependents: XmlElement,
  primaries: XmlElement,
  id: string,
  score: number,
): void {
  const dependentRole = colocationRole(dependents.attributes['role']);
  const primaryRole = colocationRole(primaries.attributes['role']);
  if (dependentRole === 'invalid' || primaryRole === 'invalid') return;
  const side = (set: XmlElement, pick: 'first' | 'last'): (Resource | undefined)[] => {
    const members = setMembers(cluster, set);
    if (!isSequential(cluster, set)) return members.filter((member) => member !== undefined);
    return [pick === 'first' ? members[0] : members.at(-1)];
  };
  const [ends, others] = [side(dependents, 'first'), side(primaries, 'last')];
  cluster.expansion.addPairs(ends.length * others.length);
  for (const dependent of ends) {
    for (const primary of others) {
      // A reference that is needed and unknown leaves the two sets without pairs.
      if (!dependent || !primary) return;
      addColocation(cluster, {
        id,
        dependent,
        primary,
        score,
        dependentRole,
        primaryRole,
        nodeAttribute: '#uname',
        explicit: true,
        influence: influence(cluster, constraint, dependent),
      });
    }
  }
}
