import type { PlannedAction, ResourceSummary } from '@systole/scheduler';

/**
 * Resources with what is going to happen to them, and nothing else. The scheduler also says what it would like: without quorum, behind a failed stop or with
 * a node that can't be fenced it wants a resource somewhere, and plans no action that brings it there.
 *
 * @param actions those that can be carried out
 */
export function announced(resources: readonly ResourceSummary[], actions: readonly PlannedAction[]): readonly ResourceSummary[] {
  const planned = new Map<string, PlannedAction[]>();
  for (const action of actions) {
    const known = planned.get(action.resource);
    if (known === undefined) planned.set(action.resource, [action]);
    else known.push(action);
  }
  const announce = (resource: ResourceSummary): ResourceSummary => {
    if (resource.kind === 'primitive') return announcedPrimitive(resource, planned.get(resource.id) ?? []);
    const children = resource.children.map(announce);
    const moves = children.some(({ role, nextRole }) => role !== nextRole);
    return { ...resource, children, ...(moves ? {} : { nextRole: resource.role }) };
  };
  return resources.map(announce);
}

function announcedPrimitive(resource: ResourceSummary, actions: readonly PlannedAction[]): ResourceSummary {
  const { role, activeOn, assignedTo } = resource;
  const begins = actions.some(({ operation }) => operation === 'start' || operation.startsWith('migrate_'));
  const ended = new Set(actions.flatMap(({ operation, node }) => (operation === 'stop' ? [node] : [])));
  const stays = activeOn.filter((node) => !ended.has(node));
  const [place] = stays;
  if (!begins && place === undefined) return nowhere(resource);
  if (begins || (assignedTo !== undefined && stays.includes(assignedTo))) {
    return { ...resource, nextRole: reachable(resource, actions, begins) };
  }
  return {
    ...resource,
    ...(place === undefined ? {} : { assignedTo: place }),
    nextRole: actions.some(({ operation }) => operation === 'demote') ? 'Unpromoted' : role,
  };
}

function nowhere({ assignedTo: _, ...resource }: ResourceSummary): ResourceSummary {
  return { ...resource, nextRole: 'Stopped' };
}

/** The role that is wanted, as far as there is an action that changes it. */
function reachable({ role, nextRole }: ResourceSummary, actions: readonly PlannedAction[], begins: boolean): ResourceSummary['role'] {
  const has = (task: string): boolean => actions.some(({ operation }) => operation === task);
  if (nextRole === 'Promoted' && role !== 'Promoted') return has('promote') ? nextRole : begins ? 'Unpromoted' : role;
  if (begins || nextRole === role) return nextRole;
  return has('demote') ? nextRole : role;
}
