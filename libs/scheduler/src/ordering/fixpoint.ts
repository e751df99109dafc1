import type { Action, ActionState } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import { Kind, type Kinds, type Relation, relate } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { planning } from '../model/resource/planning.js';
import { leaves } from '../model/cluster.js';
import { RoleLevel } from '../model/role.js';
import { INFINITY } from '../model/score.js';
import { assignNowhere } from '../placement/commit.js';
import { withThisColocations } from '../placement/colocations.js';
import { findInterleaved, instancesByNode, instancesOf } from '../placement/compatible.js';
import { runStep, type Step } from '../model/step.js';
import { backWithoutResource, blockedStop, Changed, nestedProbeLapses, pairRule, pairRuleWithoutResource } from './pair-rules.js';
import { instanceTask, isKnownTask, summarize } from './summary-state.js';

/** Kinds that are spread over collectives, in the order of their evaluation (specification 07 §3). */
const order: readonly Kinds[] = [
  Kind.pullThen,
  Kind.restartPair,
  Kind.back,
  Kind.pullFirstPromoted,
  Kind.count,
  Kind.nestedProbe,
  Kind.blockThen,
  Kind.migGate,
  Kind.migFallback,
  Kind.seq,
  Kind.oneWay,
];

const blockedStopKinds = Kind.pullThen | Kind.back | Kind.restartPair;

/**
 * Whatever can't start or be promoted takes its mandatory dependents along (specification 07 §4.5). Those are visited then, which remaps what
 * they wait for: probe orderings follow the relations that this makes (specification 07 §7.7), so they are derived afterwards.
 */
export function blockColocated(cluster: Cluster): void {
  for (const action of cluster.actions.toReversed()) if (isBlockedStart(action)) runStep(blockDependents(cluster, action));
}

/** Brings all actions in line with their relations (specification 07 §4). */
export function settleActions(cluster: Cluster): void {
  for (const action of cluster.actions.toReversed()) if (waitsForAny(action)) runStep(visit(cluster, action));
}

/** Nothing comes of a visit to an action that waits for none: in a cold start these are the probes, nearly all there are. */
function waitsForAny({ inputs, neededCount }: Action): boolean {
  return inputs.length > 0 || neededCount > 0;
}

function isBlockedStart({ resource, runnable, task }: Action): boolean {
  return resource !== undefined && !runnable && (task === 'start' || task === 'promote');
}

/** Visits one action and passes on what changed (specification 07 §4.1). */
export function* visit(cluster: Cluster, then: Action): Step<undefined> {
  const wasRunnable = then.runnable;
  const wasOptional = then.optional;
  if (then.neededCount > 0) {
    then.runnableCount = 0;
    then.runnable = false;
  }
  let changed = false;
  const { inputs } = then;
  for (let i = inputs.length - 1; i >= 0; i--) {
    const relation = inputs[i];
    if (!relation || relation.kinds === Kind.none) continue;
    const { first } = relation;
    if ((relation.kinds & Kind.sameNode) !== 0 && lapses(first, then)) {
      relation.kinds = Kind.none;
      continue;
    }
    if ((relation.kinds & Kind.cancelFirst) !== 0 && !then.optional && first.resource) {
      first.optional = true;
      if (first.task === 'reload-agent') planning(first.resource).reload = false;
    }
    const replacement = remapped(first, then);
    if (replacement) {
      if (relate(replacement, then, relation.kinds, relation.constraint)) {
        changed = true;
        relation.kinds = Kind.none;
      }
      continue;
    }
    const change = yield* applyRelation(cluster, relation);
    if ((change & Changed.then) !== 0) changed = true;
    if ((change & Changed.first) !== 0) {
      yield visitFollowers(cluster, first);
      yield visit(cluster, first);
    }
  }
  if (then.neededCount > 0) changed = then.runnable !== wasRunnable || then.optional !== wasOptional;
  if (!changed) return undefined;
  if (wasRunnable && isBlockedStart(then)) yield blockDependents(cluster, then);
  yield visit(cluster, then);
  yield visitFollowers(cluster, then);
  return undefined;
}

/** Visits everything that comes after an action. */
export function* visitFollowers(cluster: Cluster, action: Action): Step<undefined> {
  const { followers } = action;
  for (let i = followers.length - 1; i >= 0; i--) {
    const relation = followers[i];
    if (relation) yield visit(cluster, relation.then);
  }
  return undefined;
}

/** Node of an action; of a group's start the node where the group is going to be. */
function nodeOf(action: Action): ClusterNode | undefined {
  return action.resource?.kind === 'group' && action.task === 'start' ? action.resource.singleAssigned : action.node;
}

function lapses(first: Action, then: Action): boolean {
  const a = nodeOf(first);
  const b = nodeOf(then);
  return a !== undefined && b !== undefined && a !== b;
}

const done: ReadonlyMap<string, string> = new Map([
  ['start', 'running'],
  ['running', 'running'],
  ['stop', 'stopped'],
  ['stopped', 'stopped'],
  ['promote', 'promoted'],
  ['promoted', 'promoted'],
  ['demote', 'demoted'],
  ['demoted', 'demoted'],
]);

/** The completion action that takes the place of a collective's first action (specification 07 §4.2); undefined when it stays. */
function remapped(first: Action, then: Action): Action | undefined {
  const { resource } = first;
  if (!resource || resource.isPrimitive || !then.resource || then.resource === resource || then.resource.hasAncestor(resource))
    return undefined;
  const task = done.get(first.task);
  if (task === undefined) return undefined;
  const notified = resource.notify && (resource.isCollective || resource.isBundled);
  const key = notified ? `${resource.id}_confirmed-post_notify_${task}_0` : `${resource.id}_${task}_0`;
  const [replacement] = resource.actions.withKey(key);
  return replacement === first ? undefined : replacement;
}

/** Applies the kinds of one relation (specification 07 §3, §5.2). */
function* applyRelation(cluster: Cluster, relation: Relation): Generator<Step<unknown>, number, unknown> {
  const { first, then } = relation;
  const firstState = summarize(first, nodeOf(then));
  const thenState = summarize(then, nodeOf(first));
  let scope = then.node;
  if ((relation.kinds & Kind.sameNodePull) !== 0) {
    relation.kinds = (relation.kinds & ~Kind.sameNodePull) | Kind.pullThen;
    scope = first.node;
  }
  const interleaves = areInterleaved(cluster, first, then);
  let change: number = Changed.nothing;
  for (const kind of order) {
    if ((relation.kinds & kind) === 0) continue;
    if (kind === Kind.seq && !interleaves) continue;
    if (kind === Kind.nestedProbe && nestedProbeLapses(first, firstState)) {
      relation.kinds = Kind.none;
      continue;
    }
    if (!then.resource) {
      change |=
        kind === Kind.back && !first.resource
          ? backWithoutResource(first, firstState)
          : pairRuleWithoutResource(kind, first, then, firstState);
    } else if (kind === Kind.back && !first.resource) {
      change |= backWithoutResource(first, firstState);
    } else if (then.resource.isPrimitive && (kind !== Kind.back || first.resource?.isPrimitive)) {
      const pair = pairRule(kind, first, then, firstState);
      if ((pair & Changed.then) !== 0 && then.resource.parent) yield visit(cluster, then);
      change |= pair;
    } else {
      change |= yield* spread(cluster, kind, first, then, firstState, scope, interleaves);
    }
  }
  if ((relation.kinds & Kind.graphThen) !== 0 && firstState.required && first.runnable) then.graphForced = true;
  if ((relation.kinds & Kind.graphFirst) !== 0 && thenState.required) first.graphForced = true;
  if ((relation.kinds & blockedStopKinds) !== 0) change |= blockedStop(first, then);
  return change;
}

function* applyPair(
  cluster: Cluster,
  kind: Kinds,
  first: Action,
  then: Action,
  state: ActionState,
): Generator<Step<unknown>, number, unknown> {
  const change = pairRule(kind, first, then, state);
  if ((change & Changed.then) !== 0 && then.resource?.parent) yield visit(cluster, then);
  return change;
}

/** Spreads a kind over the members or instances of the resources (specification 07 §5.2). */
function* spread(
  cluster: Cluster,
  kind: Kinds,
  first: Action,
  then: Action,
  state: ActionState,
  scope: ClusterNode | undefined,
  interleaves: boolean,
): Generator<Step<unknown>, number, unknown> {
  const owner = kind === Kind.back ? first.resource : then.resource;
  const { resource } = then;
  if (!owner || !resource) return Changed.nothing;
  if (owner.isPrimitive) return yield* applyPair(cluster, kind, first, then, state);
  if (interleaves && owner.isCollective) return yield* interleave(cluster, kind, first, then, scope);
  let change = yield* applyPair(cluster, kind, first, then, state);
  if (owner.kind === 'group') {
    for (const member of resource.childrenWithTask(then.task)) {
      const action = member.newestAction(then.task, scope);
      if (action) change |= yield* spread(cluster, kind, first, action, state, scope, false);
    }
    return change;
  }
  for (const instance of instancesOf(resource)) {
    const action = instance.newestAction(then.task, scope);
    if (!action || !summarize(action, undefined).runnable) continue;
    const result = yield* spread(cluster, kind, first, action, state, scope, false);
    change |= result;
    if ((result & Changed.then) !== 0) yield visitFollowers(cluster, action);
  }
  return change;
}

/** Two different clones or bundles, interleaved as the one that follows says (specification 07 §5.4). */
function areInterleaved(cluster: Cluster, first: Action, then: Action): boolean {
  const a = first.resource;
  const b = then.resource;
  if (!a || !b || a === b || !a.isCollective || !b.isCollective) return false;
  const decides = /_(stop|demote)_0$/.test(then.key) ? a : b;
  return cluster.cib.boolean(decides.meta.get('interleave')) === true;
}

/** Relates instances that belong together (specification 07 §5.4). */
function* interleave(
  cluster: Cluster,
  kind: Kinds,
  first: Action,
  then: Action,
  scope: ClusterNode | undefined,
): Generator<Step<unknown>, number, unknown> {
  const a = first.resource;
  const b = then.resource;
  if (!a || !b) return Changed.nothing;
  const current = /_(stopped|demoted)_0$/.test(first.key);
  let change: number = Changed.nothing;
  const partners = instancesByNode(a, current);
  for (const instance of [...instancesOf(b)]) {
    const partner = findInterleaved(cluster, instance, partners, current);
    if (!partner) {
      if (!current && (kind === Kind.blockThen || kind === Kind.pullThen)) {
        let had = false;
        for (const leaf of leaves(instance)) if (assignNowhere(cluster, leaf, { primary: a.id, colocation: undefined })) had = true;
        if (had) change |= Changed.then;
      }
      continue;
    }
    const firstAction = partnerAction(a, partner, first, scope);
    const thenAction = followingAction(instance, then, scope);
    if (!firstAction || !thenAction) continue;
    if (relate(firstAction, thenAction, kind)) change |= Changed.first | Changed.then;
    change |= yield* spread(cluster, kind, firstAction, thenAction, summarize(firstAction, nodeOf(thenAction)), scope, false);
  }
  return change;
}

function partnerAction(collective: Resource, partner: Resource, first: Action, scope: ClusterNode | undefined): Action | undefined {
  const task = instanceTask(first, instancesOf(collective)[0]);
  if (!isKnownTask(task)) return undefined;
  const child = partner.replica?.container === partner ? partner.replica.child : undefined;
  if (child && task !== 'stop') return child.newestAction(task);
  return partner.newestAction(task, scope);
}

const roleTasks = new Set(['promote', 'promoted', 'demote', 'demoted']);

function followingAction(instance: Resource, then: Action, scope: ClusterNode | undefined): Action | undefined {
  const child = instance.replica?.container === instance ? instance.replica.child : undefined;
  if (child && roleTasks.has(then.task)) return child.newestAction(then.task);
  return instance.newestAction(then.task, scope);
}

/** A start or promote that can't be made takes those of mandatory dependents along (specification 07 §4.5). */
function* blockDependents(cluster: Cluster, action: Action): Step<undefined> {
  const { resource, task } = action;
  if (!resource) return undefined;
  const top = resource.top.parent ?? resource.top;
  for (const child of top.children) {
    const own = child.newestAction(task);
    if (!own || own.runnable) return undefined;
  }
  for (const { dependent, dependentRole, primaryRole, score } of withThisColocations(top)) {
    if (score < INFINITY || (task === 'promote' && primaryRole !== RoleLevel.Promoted)) continue;
    yield blockTask(cluster, dependent, dependentRole === RoleLevel.Promoted ? 'promote' : 'start', action);
  }
  return undefined;
}

function* blockTask(cluster: Cluster, dependent: Resource, task: string, because: Action): Step<undefined> {
  for (const action of [...dependent.actions.withTask(task)].reverse()) {
    if (!action.runnable) continue;
    action.runnable = false;
    action.reason ??= `colocation with ${because.resource?.id ?? ''}`;
    action.blockedBy ??= because;
    yield blockDependents(cluster, action);
    yield visit(cluster, action);
  }
  for (const child of dependent.children) yield blockTask(cluster, child, task, because);
  return undefined;
}
