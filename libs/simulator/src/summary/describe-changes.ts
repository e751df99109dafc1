import {
  type Action,
  type ClusterNode,
  type Resource,
  type ResourceChange,
  type Role,
  RoleLevel,
  roleName,
  type SchedulerRun,
} from '@systole/scheduler';

/** What the transition does to a resource, in a word (specification 08 §7.2). */
export type ChangeVerb = 'Start' | 'Stop' | 'Restart' | 'Move' | 'Recover' | 'Reload' | 'Migrate' | 'Promote' | 'Demote' | 'Re-promote';

/** One line of the transition summary about a resource. */
export interface DescribedChange {
  readonly verb: ChangeVerb;
  readonly resource: string;
  /** Name of the node that it leaves, or stays on. */
  readonly from?: string;
  /** Name of the node where it will be; absent when it ends up nowhere, or the summary doesn't say. */
  readonly to?: string;
  readonly role: Role;
  readonly nextRole: Role;
  /** Why, in the words of the scheduler. */
  readonly reason?: string;
  /** What should happen cannot. */
  readonly blocked: boolean;
}

/** One line of the transition summary about a node (specification 08 §7.1). */
export interface DescribedFencing {
  readonly kind: 'Fence' | 'Shutdown';
  /** `off`, `reboot` or `on`; for `Fence` only. */
  readonly action?: string;
  /** With the container of a guest node. */
  readonly node: string;
  readonly reason: string;
}

/** The transition summary as data. */
export interface DescribedTransition {
  readonly nodes: readonly DescribedFencing[];
  readonly resources: readonly DescribedChange[];
}

/** Describes what a run decided, in the order of the transition summary (specification 08 §7). */
export function describeChanges({ cluster, changes }: SchedulerRun): DescribedTransition {
  const nodes: DescribedFencing[] = [];
  for (const action of cluster.actions.toReversed()) {
    const described = describeNodeAction(action);
    if (described) nodes.push(described);
  }
  return { nodes, resources: changes.flatMap(describeChange) };
}

function describeNodeAction({ resource, optional, task, reason, node, meta }: Action): DescribedFencing | undefined {
  if (resource || optional || reason === undefined || !node) return undefined;
  const launcher = node.connection?.launcher;
  const name = launcher ? `${node.name} (resource: ${launcher.id})` : node.name;
  if (task === 'stonith') return { kind: 'Fence', action: meta.get('stonith_action') ?? '', node: name, reason };
  return task === 'do_shutdown' ? { kind: 'Shutdown', node: name, reason } : undefined;
}

function describeChange(change: ResourceChange): DescribedChange[] {
  return change.resource.currentRole === change.resource.nextRole ? describeSameRole(change) : describeNewRole(change);
}

const isMoving = ({ current, next }: ResourceChange): boolean => current !== undefined && next !== undefined && current !== next;
const hasReason = (action: Action | undefined): boolean => action?.reason !== undefined;

/** The role stays: the tests in the order of specification 08 §7.2 A. */
function describeSameRole(change: ResourceChange): DescribedChange[] {
  const { resource, current, next, start, stop, promote, demote, migrate } = change;
  if (migrate?.runnable && current) return [line(resource, 'Migrate', current, next, start, start)];
  if (resource.reload) return [line(resource, 'Reload', current, next, start, start)];
  if (!start || start.optional) {
    const repromote = demote && promote && !demote.optional && !promote.optional;
    return repromote ? [line(resource, 'Re-promote', current, next, promote, demote)] : [];
  }
  if (!start.runnable) return [line(resource, 'Stop', current, undefined, stop, hasReason(stop) ? stop : start)];
  if (isMoving(change)) return [line(resource, resource.failed ? 'Recover' : 'Move', current, next, stop, stop)];
  if (resource.failed) return [line(resource, 'Recover', current, undefined, stop, stop)];
  return [line(resource, 'Restart', current, next, start, start)];
}

/** The role changes: the tests in the order of specification 08 §7.2 B. */
function describeNewRole(change: ResourceChange): DescribedChange[] {
  const { resource, current, next, start, stop, promote, demote } = change;
  const { currentRole, nextRole } = resource;
  if (stop && (nextRole === RoleLevel.Stopped || start?.runnable === false))
    return resource.activeOn.map((node) => describeStop(change, stop, node));
  if (stop && resource.failed && resource.mustStop) return [line(resource, 'Recover', current, next, stop, start ?? stop)];
  if (isMoving(change)) return [line(resource, 'Move', current, next, stop, stop)];
  if (resource.reload) return [line(resource, 'Reload', current, next, start, start)];
  if (stop && !stop.optional) return [line(resource, 'Restart', current, next, start, start)];
  if (currentRole === RoleLevel.Promoted) return [line(resource, 'Demote', current, next, demote, demote)];
  if (nextRole === RoleLevel.Promoted) return [line(resource, 'Promote', current, next, promote, promote)];
  if (currentRole === RoleLevel.Stopped && nextRole > RoleLevel.Stopped) return [line(resource, 'Start', current, next, start, start)];
  return [];
}

function describeStop({ resource, start }: ResourceChange, anyStop: Action, node: ClusterNode): DescribedChange {
  const stop = resource.actions.withKey(anyStop.key).find((action) => action.node === node) ?? anyStop;
  return line(resource, 'Stop', node, undefined, stop, hasReason(stop) ? stop : (start ?? stop));
}

/**
 * @param main the action that decides whether the change is blocked.
 * @param explained the action whose reason is shown.
 */
function line(
  resource: Resource,
  verb: ChangeVerb,
  from: ClusterNode | undefined,
  to: ClusterNode | undefined,
  main: Action | undefined,
  explained: Action | undefined,
): DescribedChange {
  const reason = explained?.reason;
  return {
    verb,
    resource: resource.id,
    ...(from ? { from: from.name } : {}),
    ...(to ? { to: to.name } : {}),
    role: roleName(resource.currentRole),
    nextRole: roleName(resource.nextRole),
    ...(reason === undefined ? {} : { reason }),
    blocked: main?.runnable === false,
  };
}
