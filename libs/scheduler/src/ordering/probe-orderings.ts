import { actionKey } from '../requests/action-requests.js';
import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import { Kind } from '../model/relation.js';
import { relate } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { findInterleaved, instancesByNode } from '../placement/compatible.js';
import { isActive } from '../model/activity.js';
import { actionsOf } from './apply-requests.js';

/** What must wait until it is known where resources run (specification 07 §7.7). */
export function orderProbes(cluster: Cluster): void {
  const leading = leadingToGuarded(cluster);
  for (const resource of cluster.primitives()) {
    const probes = resource.actions.withKey(actionKey(resource, 'monitor'));
    const walks = new Map<Action, Action[]>();
    for (const probe of probes) {
      for (const { then, firstKinds } of [...probe.followers].reverse()) {
        if (!probe.runnable && (firstKinds & Kind.blockThen) === 0) blockInactiveStarts(probe, resource, then);
        let guarded = walks.get(then);
        if (!guarded) walks.set(then, (guarded = guardedActions(cluster, resource, then, leading)));
        for (const action of guarded) relate(probe, action, Kind.seq);
      }
    }
  }
  orderBeforeSuccessors(cluster);
}

/** An unrunnable probe keeps the inactive instances of its clone from starting. */
function blockInactiveStarts(probe: Action, resource: Resource, start: Action): void {
  const { top } = resource;
  if (start.task !== 'start' || start.resource !== top || !top.isCollective) return;
  for (const { then } of [...start.followers].reverse()) {
    if (then.task === 'start' && then.resource && then.resource.top === top && !isActive(then.resource))
      relate(probe, then, Kind.seq | Kind.blockThen);
  }
}

/** What a start or promote puts at stake: the real stops or demotes of a primitive. */
function atStake({ resource, task }: Action): readonly Action[] {
  if (!resource?.isPrimitive || (task !== 'start' && task !== 'promote')) return none;
  return resource.actions.withKey(actionKey(resource, task === 'start' ? 'stop' : 'demote')).filter(({ pseudo }) => !pseudo);
}

const none: readonly Action[] = [];

/**
 * Actions from which a walk can come to anything guarded at all. There are few of them, or none, unless much restarts; without this, a chain of
 * orderings would be walked to its end from each of its probes.
 */
function leadingToGuarded(cluster: Cluster): ReadonlySet<Action> {
  const leading = new Set(cluster.actions.filter((action) => atStake(action).length > 0));
  for (const action of leading) {
    for (const { first, firstKinds } of action.inputs) {
      const inside = first.resource !== undefined && action.resource?.parent === first.resource;
      if (inside || (firstKinds & Kind.pullThen) !== 0) leading.add(first);
    }
  }
  return leading;
}

/** Stops and demotes of other primitives that restart because of what follows the probe. */
function guardedActions(cluster: Cluster, resource: Resource, from: Action, leading: ReadonlySet<Action>): Action[] {
  const guarded: Action[] = [];
  const seen = new Set<Action>();
  const pending = [from];
  for (let action = pending.pop(); action; action = pending.pop()) {
    if (seen.has(action) || !leading.has(action)) continue;
    seen.add(action);
    const own = action.resource;
    if (own !== resource) guarded.push(...atStake(action));
    const interleaved = own?.kind === 'clone' && cluster.cib.boolean(own.meta.get('interleave')) === true;
    const compatible = interleaved ? findInterleaved(cluster, resource, instancesByNode(own, false), false) : undefined;
    // Pushed oldest first, so that the newest one is walked first.
    for (const { then, firstKinds } of action.followers) {
      if ((firstKinds & Kind.pullThen) === 0 && !(own && leadsInside(resource, own, then, interleaved, compatible))) continue;
      pending.push(then);
    }
  }
  return guarded;
}

/** From a collective's action down to its members. */
function leadsInside(
  probed: Resource,
  collective: Resource,
  then: Action,
  interleaved: boolean,
  compatible: Resource | undefined,
): boolean {
  const { resource } = then;
  if (collective.isPrimitive || probed.parent === collective || !resource || resource.parent !== collective) return false;
  if (!resource.isPrimitive && resource.kind !== 'group') return false;
  return !interleaved || resource === compatible;
}

/** What waits for a resource's stop waits for its probes, too. */
function orderBeforeSuccessors(cluster: Cluster): void {
  for (const { first, then, kinds } of cluster.requests) {
    const { resource } = first;
    if (!resource?.isPrimitive || first.task !== 'stop' || resource === then.resource) continue;
    const probes = resource.actions.withKey(actionKey(resource, 'monitor'));
    if (probes.length === 0) continue;
    const onlyNode = kinds === Kind.antiSameNode || kinds === Kind.loadNode;
    const own = onlyNode ? kinds : Kind.seq | (kinds & (Kind.unlessFirstMigrates | Kind.sameNode));
    for (const probe of probes) {
      for (const action of actionsOf(then)) {
        if (resource.launcher === then.resource && resource.launcher && action.task === 'stop') continue;
        if (action.task === 'stonith' && action.node === probe.node && action.meta.get('stonith_action') === 'on') continue;
        if (action.task === 'do_shutdown' && action.node !== probe.node) continue;
        relate(probe, action, own);
      }
    }
  }
}
