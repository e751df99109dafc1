import { Kind, type Kinds } from '../model/relation.js';
import { RoleLevel } from '../model/role.js';
import { currentRole, isActive } from '../model/activity.js';
import type { Action, ActionState } from '../model/action.js';

/** What a rule changed, a bit set. */
export const Changed = { nothing: 0, first: 1, then: 2 } as const;

type Change = number;

/** Sets a reason, the first one for good, and only across resources (specification 07 §3.3). */
function explain(action: Action, other: Action, verb: 'required' | 'unrunnable' | 'unmigrateable'): void {
  if (action.reason !== undefined || !action.resource || other.resource === action.resource) return;
  action.reason = other.resource ? `${verb} ${other.resource.id} ${other.task}` : `${verb} ${other.task}`;
}

/** Makes an action required because of another; true when it wasn't yet. */
function require(action: Action, because: Action): boolean {
  if (!action.optional) return false;
  action.optional = false;
  action.requiredBy ??= because;
  explain(action, because, 'required');
  return true;
}

function makeUnrunnable(action: Action, because: Action): boolean {
  if (!action.runnable) return false;
  action.runnable = false;
  action.blockedBy ??= because;
  explain(action, because, 'unrunnable');
  return true;
}

function makeUnmigratable(action: Action, because: Action): boolean {
  if (!action.migratable) return false;
  action.migratable = false;
  explain(action, because, 'unmigrateable');
  return true;
}

const change = (first: boolean, then: boolean): Change => (first ? Changed.first : 0) | (then ? Changed.then : 0);

/** The effect of one kind on one pair of actions whose later one has a resource (specification 07 §3). `state` is the summary of the first. */
export function pairRule(kind: Kinds, first: Action, then: Action, state: ActionState): Change {
  switch (kind) {
    case Kind.pullThen:
      return change(false, then.optional && state.required && !first.migratable && require(then, first));
    case Kind.back:
      return change(!then.optional && state.migratable && !then.migratable && makeUnmigratable(first, then), false);
    case Kind.pullFirstPromoted: {
      if (then.optional || !then.resource || currentRole(then.resource) !== RoleLevel.Promoted) return Changed.nothing;
      const required = require(first, then);
      const unmigratable = !then.migratable && makeUnmigratable(first, then);
      return change(required || unmigratable, false);
    }
    case Kind.nestedProbe:
    case Kind.blockThen: {
      if (!then.runnable || state.runnable) return Changed.nothing;
      const unrunnable = makeUnrunnable(then, first);
      const unmigratable = makeUnmigratable(then, first);
      return change(false, unrunnable || unmigratable);
    }
    case Kind.restartPair:
      return restartPair(first, then);
    case Kind.migGate: {
      const unrunnable = !(then.migratable && then.runnable) && makeUnrunnable(first, then);
      const required = !then.optional && require(first, then);
      return change(unrunnable || required, false);
    }
    case Kind.migFallback: {
      if (first.runnable) return Changed.nothing;
      const unmigratable = makeUnmigratable(then, first);
      const real = then.pseudo;
      then.pseudo = false;
      return change(false, unmigratable || real);
    }
    case Kind.oneWay:
      return oneWay(first, then);
    default:
      return Changed.nothing;
  }
}

/** Specification 07 §3.1. */
function restartPair(first: Action, then: Action): Change {
  if (!first.resource?.isPrimitive || !then.resource?.isPrimitive) return Changed.nothing;
  const cannotStart = !then.runnable && then.resource.managed && first.resource === then.resource;
  if (then.optional && !cannotStart) return Changed.nothing;
  let firstChanged = false;
  let thenChanged = false;
  if (first.runnable && require(first, then)) firstChanged = true;
  if (!then.optional && require(first, then)) firstChanged = true;
  if (!then.migratable && makeUnmigratable(first, then)) firstChanged = true;
  if (!first.optional && !first.runnable && makeUnrunnable(then, first)) thenChanged = true;
  return change(firstChanged, thenChanged);
}

/** Specification 07 §3.2. */
function oneWay(first: Action, then: Action): Change {
  if (first.runnable || !then.resource) return Changed.nothing;
  const { resource } = then;
  if (then.optional) {
    if (then.task === 'stop' && currentRole(resource) === RoleLevel.Stopped) return Changed.nothing;
    const onlyThere = resource.activeOn.length === 1 && resource.activeOn[0] === then.node;
    if (then.task === 'start' && currentRole(resource) >= RoleLevel.Started && onlyThere) return Changed.nothing;
  }
  const required = require(then, first);
  const unrunnable = makeUnrunnable(then, first);
  return change(false, required || unrunnable);
}

/** The effect where the later action has no resource (specification 07 §3, last column). */
export function pairRuleWithoutResource(kind: Kinds, first: Action, then: Action, state: ActionState): Change {
  switch (kind) {
    case Kind.pullThen:
      if (!state.required || !then.optional) return Changed.nothing;
      then.optional = false;
      then.requiredBy ??= first;
      return Changed.then;
    case Kind.blockThen:
      if (state.runnable || !then.runnable) return Changed.nothing;
      then.runnable = false;
      then.blockedBy ??= first;
      return Changed.then;
    case Kind.count:
      if (!state.runnable) return Changed.nothing;
      then.runnableCount++;
      if (then.runnableCount >= then.neededCount) then.runnable = true;
      return Changed.nothing;
    case Kind.back:
      return change(
        first.resource !== undefined && !then.optional && state.migratable && !then.migratable && makeUnmigratable(first, then),
        false,
      );
    default:
      return Changed.nothing;
  }
}

/** A first without resource that is needed loses runnable through "back" (specification 07 §3). */
export function backWithoutResource(first: Action, state: ActionState): Change {
  if (!state.required || !first.runnable) return Changed.nothing;
  first.runnable = false;
  return Changed.first;
}

/** The stop of a blocked resource that can't be done stops everything that waits for it (specification 07 §3, blocked-stop rule). */
export function blockedStop(first: Action, then: Action): Change {
  if (first.task !== 'stop' || first.runnable || !first.resource || first.resource.managed || !first.resource.blocked || !then.runnable)
    return Changed.nothing;
  then.runnable = false;
  then.blockedBy ??= first;
  return Changed.then;
}

/** A nested probe lapses once its container is active and can't be started. */
export function nestedProbeLapses(first: Action, state: ActionState): boolean {
  return !state.runnable && first.resource !== undefined && isActive(first.resource);
}
