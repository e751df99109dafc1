import type { Action } from './action.js';

/** Relation kinds, a bit set (specification 07 §1.3). */
export const Kind = {
  none: 0,
  seq: 1 << 0,
  serial: 1 << 1,
  pullThen: 1 << 2,
  back: 1 << 3,
  pullFirstPromoted: 1 << 4,
  blockThen: 1 << 5,
  restartPair: 1 << 6,
  migGate: 1 << 7,
  migFallback: 1 << 8,
  sameNodePull: 1 << 9,
  count: 1 << 10,
  nestedProbe: 1 << 11,
  oneWay: 1 << 12,
  sameNode: 1 << 13,
  loadNode: 1 << 14,
  antiSameNode: 1 << 15,
  graphFirst: 1 << 16,
  graphThen: 1 << 17,
  cancelFirst: 1 << 18,
  unlessFirstMigrates: 1 << 19,
  guestOk: 1 << 20,
} as const;

/** A set of relation kinds. */
export type Kinds = number;

/** `first` before `then`. Both ends keep the kinds for themselves (specification 07 §2.2): disabling an input leaves the other end as it was. */
export interface Relation {
  readonly first: Action;
  readonly then: Action;
  /** As the later action sees them. */
  kinds: Kinds;
  /** As the earlier action sees them; the duplicate test looks here. */
  readonly firstKinds: Kinds;
  /** Written as a trigger. */
  inGraph: boolean;
  /** Id of the ordering constraint that it comes from, if any. */
  readonly constraint: string | undefined;
}

/** Relates two actions, unless they already share a kind (specification 07 §2.2). True when the relation is new. */
export function relate(first: Action, then: Action, kinds: Kinds, constraint?: string): boolean {
  if (kinds === Kind.none || first === then) return false;
  if ((kindsBetween(first, then) & kinds) !== 0) return false;
  const relation: Relation = { first, then, kinds, firstKinds: kinds, inGraph: false, constraint };
  first.followers = appended(first.followers, relation);
  then.inputs = appended(then.inputs, relation);
  then.inputsMerged = false;
  if (first.followingKinds) noteKinds(first.followingKinds, relation);
  return true;
}

/** So many relations are looked through faster than found in a map. */
const FEW = 32;

/** All kinds of the relations of two actions, as the earlier one sees them. */
function kindsBetween(first: Action, then: Action): Kinds {
  let kinds: Kinds = Kind.none;
  // The shorter of both lists holds them all.
  if (first.followers.length <= Math.min(then.inputs.length, FEW)) {
    for (const relation of first.followers) if (relation.then === then) kinds |= relation.firstKinds;
  } else if (then.inputs.length <= FEW) {
    for (const relation of then.inputs) if (relation.first === first) kinds |= relation.firstKinds;
  } else {
    first.followingKinds ??= gatherKinds(first);
    kinds = first.followingKinds.get(then) ?? Kind.none;
  }
  return kinds;
}

function gatherKinds({ followers }: Action): Map<Action, Kinds> {
  const kinds = new Map<Action, Kinds>();
  for (const relation of followers) noteKinds(kinds, relation);
  return kinds;
}

function noteKinds(kinds: Map<Action, Kinds>, { then, firstKinds }: Relation): void {
  kinds.set(then, (kinds.get(then) ?? Kind.none) | firstKinds);
}

/** Lists of one and of two are made as such: most actions have no more, and growing lists are much larger. */
function appended(list: Relation[], relation: Relation): Relation[] {
  const [first] = list;
  if (!first) return [relation];
  if (list.length === 1) return [first, relation];
  list.push(relation);
  return list;
}
