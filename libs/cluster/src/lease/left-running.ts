import type { GraphAction } from '@systole/scheduler';
import { epochOf, type LogHead } from '../epoch/witness.js';
import { memberOf, type ClusterState, type LeftRunning, type NodeMember } from '../state/cluster-state.js';
import { isConfiguredHistory } from '../state/configured-history.js';
import { historyOf, isActive, mayBeActive, resourcesWithHistory } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';
import { isKnownElsewhere } from './active-elsewhere.js';
import { unmanagedAmong, unmanagedResources } from './unmanaged.js';

/**
 * What a node runs on with when it goes away: its agent stops nothing that is not managed (maintenance), whether it leaves in order or loses its lease. It would be started elsewhere as
 * soon as it is managed again, or the node counts as down: active twice (safety rule S1). Starting it waits for the node, whether there is fencing or not, until the node joins again, is
 * fenced or confirmed down.
 *
 * Its agent goes by what the newest answer said that it received. So what is managed again counts as well (`spared`), until the agent has shown that it knows.
 */

/** History ids of what may be active on a node and is not managed, as far as the log knows: where it is not known to be active, nor is it elsewhere. */
export function runningUnmanaged(state: ClusterState, node: string): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  return unmanagedResources(state, node, planTime(state)).filter((id) => {
    const history = historyOf(nodeState, id);
    return isActive(history, id) || (mayBeActive(history, id) && !isKnownElsewhere(state, node, id));
  });
}

/**
 * The same with what its agent may take for not managed. Where nothing was heard of such a resource it may be active, too; as it may, whatever was heard of it, as long as a transition is
 * under way, which may have had it started. But nothing that runs elsewhere, unless the log knows that it runs here as well: whoever holds the token of a node must not keep the others from starting
 * what never ran there.
 */
export function mayRunUnmanaged(state: ClusterState, node: string): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  const candidates = [...new Set([...unmanagedResources(state, node, planTime(state)), ...Object.keys(member?.spared ?? {})])];
  const tried = member === undefined ? [] : activatedByHand(member);
  return [...new Set([...candidates.filter(mayRun), ...tried])];

  function mayRun(id: string): boolean {
    const history = historyOf(nodeState, id);
    if (isActive(history, id)) return true;
    const mayBeThere = state.transition !== undefined || history === undefined || mayBeActive(history, id);
    return mayBeThere && !isKnownElsewhere(state, node, id);
  }
}

/** History ids of what a debug operation may be making active on a node: nobody knows before it has ended and the resource was probed. */
export function activatedByHand({ debugging = [] }: Pick<NodeMember, 'debugging'>): readonly string[] {
  return debugging.filter(({ operation }) => operation === 'start' || operation === 'promote').map(({ resource }) => resource);
}

/**
 * What of that which an agent says to run unmanaged, as it joins, it may run for all that the log knows: what there is, or was when it was heard of, and runs nowhere else.
 *
 * @param claimed history ids
 */
export function claimableUnmanaged(state: ClusterState, node: string, claimed: readonly string[]): readonly string[] {
  const members = Object.values(state.nodes);
  const { leftRunning: left = [], spared = {} } = memberOf(state, node) ?? {};
  const before = new Set([...resourcesOf(left), ...Object.keys(spared)]);
  const exists = (id: string): boolean =>
    before.has(id) ||
    isConfiguredHistory(state, id) ||
    members.some((member) => historyOf(nodeStateOf(state.cib, member), id) !== undefined);
  return [...new Set(claimed)].filter((id) => exists(id) && !isKnownElsewhere(state, node, id));
}

/**
 * History ids of what is configured and managed, and was active on a node when it was last heard of: nobody stopped it since, and it is not known to have failed. Not of fence devices, which
 * are not running anywhere, nor of what is not configured any more, which nothing starts elsewhere. All that it ran is asked for.
 */
export function managedAndActive(state: ClusterState, node: string): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  const active = resourcesWithHistory(nodeState).filter((id) => {
    const history = historyOf(nodeState, id);
    return isActive(history, id) && history?.attributes['class'] !== 'stonith' && isConfiguredHistory(state, id);
  });
  if (active.length === 0) return active;
  const unmanaged = new Set([...unmanagedAmong(state, node, active, planTime(state)), ...Object.keys(member?.spared ?? {})]);
  return active.filter((id) => !unmanaged.has(id));
}

/**
 * What of `spared` the agent of a node knows to be managed by now: it was told of the version from which on it is, and does not name it.
 * @param shown the newest head that the agent was told
 * @param unmanaged what it leaves alone, as it says; undefined for one that does not say
 */
export function knownManaged(
  state: ClusterState,
  clusterId: string,
  node: string,
  { shown, unmanaged }: { readonly shown: LogHead | undefined; readonly unmanaged: readonly string[] | undefined },
): readonly string[] {
  const { spared = {}, membership } = memberOf(state, node) ?? {};
  if (membership !== 'joined' || shown === undefined || unmanaged === undefined || shown.epoch !== epochOf(state, clusterId)) return [];
  return Object.entries(spared).flatMap(([id, version]) => (version <= shown.version && !unmanaged.includes(id) ? [id] : []));
}

/** What was left running, by node, until the node joins again, is fenced or confirmed down; and what somebody has started there just now, until that has ended. */
export function leftRunning({ nodes }: ClusterState): readonly { readonly node: string; readonly resources: readonly string[] }[] {
  return Object.values(nodes).flatMap((member) => {
    const { name, leftRunning: left, debugging } = member;
    if (left === undefined && debugging === undefined) return [];
    const resources = [...new Set([...resourcesOf(left ?? []), ...activatedByHand(member)])];
    return resources.length === 0 ? [] : [{ node: name, resources }];
  });
}

export function resourcesOf(left: readonly LeftRunning[]): readonly string[] {
  return [...new Set(left.flatMap(({ resources }) => resources))];
}

/** How many boots are told apart that left something running. */
const BOOTS_REMEMBERED = 8;

/** The member that goes away with what it is known to run on with, beside what earlier boots of it may run on with still. */
export function withLeftRunning(member: NodeMember, resources: readonly string[]): NodeMember {
  if (resources.length === 0) return member;
  const { leftRunning: left = [], bootId } = member;
  const own = left.filter(({ boot, several }) => boot === bootId && several !== true);
  const entry = { ...(bootId === undefined ? {} : { boot: bootId }), resources: [...new Set([...resourcesOf(own), ...resources])] };
  return { ...member, leftRunning: withOldestMerged([...left.filter((one) => !own.includes(one)), entry]) };
}

/** However many boots come and go, no hold is forgotten, and what is kept does not grow. */
function withOldestMerged(left: readonly LeftRunning[]): readonly LeftRunning[] {
  const boots = left.filter(({ several }) => several !== true);
  if (boots.length <= BOOTS_REMEMBERED) return left;
  const newest = boots.slice(-BOOTS_REMEMBERED);
  return [{ several: true, resources: resourcesOf(left.filter((one) => !newest.includes(one))) }, ...newest];
}

/** The member when whatever ran on there is over. */
export function withNothingLeft({ leftRunning: _, ...member }: NodeMember): NodeMember {
  return member;
}

/**
 * What of it stays when the node joins: that a boot returns which left it running is known, as its resources are probed again; another boot does not know of it.
 * @param restarted what ran under the newest boot before is over
 */
export function leftByAnother(
  { leftRunning: left = [], bootId }: NodeMember,
  joining: string | undefined,
  restarted: boolean,
): Pick<NodeMember, 'leftRunning'> {
  const stays = left.filter(
    ({ boot, several }) =>
      several === true || (boot !== undefined && joining !== undefined && boot !== joining && !(restarted && boot === bootId)),
  );
  return stays.length === 0 ? {} : { leftRunning: stays };
}

/**
 * Whether an action would make active what may be active on a node that went away.
 * Instances of an anonymous clone may run on many nodes: of them only the promotion waits.
 * @param held history ids
 */
export function activatesLeft({ operation, primitive }: GraphAction, held: ReadonlySet<string>): boolean {
  if (primitive === undefined || !held.has(primitive.id)) return false;
  return primitive.longId === undefined || operation === 'promote';
}
