import { childElements, type XmlElement } from '@systole/cib';
import { nodePseudo } from '../../requests/action-requests.js';
import type { Cluster } from '../../model/cluster.js';
import { Kind, type Kinds } from '../../model/relation.js';
import type { Resource } from '../../model/resource.js';
import { orderTasks, requestOrdering, taskOf } from '../../requests/ordering-requests.js';
import { constraintResource, hasSets, inSets, setMembers, unknownName, unknownReference } from './references.js';

const SIDES = [
  { name: 'first', detail: 'first-action', inSet: 'action' },
  { name: 'then', detail: 'then-action', inSet: 'action' },
] as const;

type OrderKind = 'Mandatory' | 'Optional' | 'Serialize';

const inverses: ReadonlyMap<string, string> = new Map([
  ['start', 'stop'],
  ['stop', 'start'],
  ['promote', 'demote'],
  ['demote', 'promote'],
  ['promoted', 'demoted'],
  ['demoted', 'promoted'],
  ['running', 'stopped'],
  ['stopped', 'running'],
]);

/** `rsc_order` (specification 07 §6). */
export function unpackOrder(cluster: Cluster, written: XmlElement): void {
  const { id } = written.attributes;
  if (id === undefined) {
    cluster.error('Ignoring an ordering without id');
    return;
  }
  const constraint = inSets(cluster, written, SIDES)?.constraint;
  if (!constraint) return;
  if (hasSets(constraint)) unpackSets(cluster, constraint);
  else unpackSimple(cluster, constraint, id);
}

/** Kind of an ordering: by keyword, or by an old-style score (specification 07 §6.1). */
function orderKind(cluster: Cluster, of: XmlElement): OrderKind {
  const { kind, score, id } = of.attributes;
  if (kind === undefined) {
    if (score === undefined) return 'Mandatory';
    return (cluster.score(score) ?? 0) === 0 ? 'Optional' : 'Mandatory';
  }
  if (kind === 'Mandatory' || kind === 'Optional' || kind === 'Serialize') return kind;
  cluster.error(`Ordering ${id ?? ''}: "${kind}" is no kind; using Mandatory`);
  return 'Mandatory';
}

function isSymmetric(cluster: Cluster, of: XmlElement, kind: OrderKind, parent: XmlElement | undefined): boolean {
  const text = of.attributes['symmetrical'] ?? parent?.attributes['symmetrical'];
  const symmetric = cluster.cib.boolean(text) ?? kind !== 'Serialize';
  if (symmetric && kind === 'Serialize') {
    cluster.warn(`Ordering ${of.attributes['id'] ?? ''}: Serialize can't be symmetrical`);
    return false;
  }
  return symmetric;
}

function forwardKinds(kind: OrderKind, symmetric: boolean, firstTask: string): Kinds {
  if (kind === 'Optional') return Kind.seq;
  if (kind === 'Serialize') return Kind.serial;
  if (!symmetric) return Kind.seq | Kind.oneWay;
  const up = firstTask === 'start' || firstTask === 'promote' || firstTask === 'migrate_from';
  return Kind.seq | Kind.pullThen | (up ? Kind.blockThen : 0);
}

function inverseKinds(kind: OrderKind): Kinds {
  return kind === 'Optional' ? Kind.seq : Kind.seq | Kind.back;
}

function unpackSimple(cluster: Cluster, constraint: XmlElement, id: string): void {
  const { attributes } = constraint;
  const first = constraintResource(cluster, attributes['first']);
  const then = constraintResource(cluster, attributes['then']);
  if (!first || !then) {
    cluster.error(`Ignoring ordering ${id}: ${unknownName(cluster, (first ? attributes['then'] : attributes['first']) ?? '')}`);
    return;
  }
  const firstTask = attributes['first-action'] ?? 'start';
  const thenTask = attributes['then-action'] ?? firstTask;
  const kind = orderKind(cluster, constraint);
  const symmetric = isSymmetric(cluster, constraint, kind, undefined);
  const kinds = forwardKinds(kind, symmetric, firstTask);
  const needed = neededInstances(cluster, constraint, first);
  if (needed === 0) {
    orderTasks(cluster, first, firstTask, then, thenTask, kinds, id);
  } else {
    const gate = nodePseudo(cluster, `clone-one-or-more:${id}`, `clone-one-or-more:${id}`, undefined);
    gate.optional = true;
    gate.neededCount = needed;
    for (const instance of first.children) requestOrdering(cluster, taskOf(instance, firstTask), gate, Kind.count | Kind.graphThen, id);
    requestOrdering(cluster, gate, taskOf(then, thenTask), kinds | Kind.blockThen, id);
  }
  if (!symmetric) return;
  const firstInverse = inverses.get(firstTask);
  const thenInverse = inverses.get(thenTask);
  if (firstInverse === undefined || thenInverse === undefined) {
    cluster.warn(`Ordering ${id}: "${firstInverse === undefined ? firstTask : thenTask}" has no inverse`);
    return;
  }
  orderTasks(cluster, then, thenInverse, first, firstInverse, inverseKinds(kind), id);
}

/** Minimum of instances of a clone that must have done the first action (specification 07 §6.2). */
function neededInstances(cluster: Cluster, constraint: XmlElement, first: Resource): number {
  if (first.kind !== 'clone') return 0;
  const minimum = first.meta.get('clone-min');
  if (minimum !== undefined) return Math.max(cluster.cib.integer(minimum) ?? 0, 0);
  const requireAll = constraint.attributes['require-all'];
  return requireAll !== undefined && cluster.cib.boolean(requireAll) !== true ? 1 : 0;
}

/** Ordering sets (specification 07 §6.4). */
function unpackSets(cluster: Cluster, constraint: XmlElement): void {
  const kind = orderKind(cluster, constraint);
  const symmetric = isSymmetric(cluster, constraint, kind, undefined);
  let previous: XmlElement | undefined;
  for (const child of childElements(constraint)) {
    if (child.name !== 'resource_set') continue;
    const set = cluster.cib.resolve(child);
    if (!set || !unpackInside(cluster, set, kind, constraint)) return;
    if (previous) {
      unpackBetween(cluster, constraint, previous, set, kind, symmetric, false);
      if (symmetric) unpackBetween(cluster, constraint, set, previous, kind, symmetric, true);
    }
    previous = set;
  }
}

/** False at an unknown resource. */
function unpackInside(cluster: Cluster, set: XmlElement, parentKind: OrderKind, constraint: XmlElement): boolean {
  const { attributes } = set;
  const { id } = constraint.attributes;
  const own = attributes['kind'] !== undefined || attributes['score'] !== undefined;
  const kind = attributes['kind'] === undefined ? parentKind : orderKind(cluster, set);
  const symmetric = isSymmetric(cluster, set, own ? orderKind(cluster, set) : parentKind, constraint);
  const sequential = attributes['sequential'] === undefined || cluster.cib.boolean(attributes['sequential']) === true;
  const task = attributes['action'] ?? 'start';
  const members: Resource[] = [];
  for (const member of setMembers(cluster, set)) {
    if (!member) {
      const unknown = unknownReference(cluster, set) ?? '';
      cluster.error(`Ordering set ${attributes['id'] ?? ''}: ignoring the rest of the constraint from there on: ${unknown}`);
      return false;
    }
    members.push(member);
  }
  if (members.length < 2) return true;
  if (kind === 'Serialize') {
    cluster.expansion.addPairs((members.length * (members.length - 1)) / 2);
    for (const [index, first] of members.entries()) {
      for (const then of members.slice(index + 1)) orderTasks(cluster, first, task, then, task, Kind.serial, id);
    }
    return true;
  }
  if (!sequential) return true;
  cluster.expansion.addPairs(members.length);
  const pairs = members.slice(1).map((then, index) => [members[index] ?? then, then] as const);
  for (const [first, then] of pairs) orderTasks(cluster, first, task, then, task, forwardKinds(kind, symmetric, task), id);
  const inverse = inverses.get(task);
  if (symmetric && inverse !== undefined) {
    for (const [first, then] of pairs) orderTasks(cluster, then, inverse, first, inverse, inverseKinds(kind), id);
  }
  return true;
}

/** From one set to the next; for the inverse direction the sets come swapped (specification 07 §6.4). */
function unpackBetween(
  cluster: Cluster,
  constraint: XmlElement,
  before: XmlElement,
  after: XmlElement,
  kind: OrderKind,
  symmetric: boolean,
  inverse: boolean,
): void {
  const { id } = constraint.attributes;
  const action = (set: XmlElement): string | undefined => {
    const task = set.attributes['action'] ?? 'start';
    return inverse ? inverses.get(task) : task;
  };
  const firstTask = action(before);
  const thenTask = action(after);
  if (firstTask === undefined || thenTask === undefined) return;
  const kinds = inverse ? inverseKinds(kind) : forwardKinds(kind, symmetric, thenTask);
  const firsts = setMembers(cluster, before).filter((member) => member !== undefined);
  const thens = setMembers(cluster, after).filter((member) => member !== undefined);
  const requireAll = before.attributes['require-all'];
  const all = requireAll === undefined || cluster.cib.boolean(requireAll) === true || firstTask === 'stop' || firstTask === 'demote';
  if (!all) {
    const key = `one-or-more:${before.attributes['id'] ?? ''}`;
    const gate = nodePseudo(cluster, key, key, undefined);
    gate.optional = true;
    gate.neededCount = 1;
    for (const first of firsts) requestOrdering(cluster, taskOf(first, firstTask), gate, Kind.count | Kind.graphThen, id);
    for (const then of thens) requestOrdering(cluster, gate, taskOf(then, thenTask), kinds | Kind.blockThen, id);
    return;
  }
  const boundary = (set: XmlElement, members: Resource[], end: 'first' | 'last'): Resource[] => {
    // Only an explicit "true" counts here, unlike inside a set.
    if (cluster.cib.boolean(set.attributes['sequential']) !== true) return members;
    return end === 'first' ? members.slice(0, 1) : members.slice(-1);
  };
  const ends = boundary(before, firsts, inverse ? 'first' : 'last');
  const others = boundary(after, thens, inverse ? 'last' : 'first');
  cluster.expansion.addPairs(ends.length * others.length);
  for (const first of ends) {
    for (const then of others) orderTasks(cluster, first, firstTask, then, thenTask, kinds, id);
  }
}
