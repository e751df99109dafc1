import { primitiveIdOf, readingOf } from '@systole/cib';
import type { ClusterState } from '@systole/cluster';
import type { UnansweredDispatch } from '@systole/control-plane';
import type { PendingOperation } from '@systole/simulator';
import type { ShownResource } from './held-starts.js';
import type { PendingOperationDto } from '../scheduling/schedule.dto.js';

/** What an operation that is under way does to a resource, in the words of `crm_mon`; of others nothing is said, probes among them. */
const STATES: Readonly<Record<string, PendingOperationDto['state']>> = {
  start: 'Starting',
  stop: 'Stopping',
  migrate_to: 'Migrating',
  migrate_from: 'Migrating',
  promote: 'Promoting',
  demote: 'Demoting',
};

/** An operation that is under way, and what it does. */
interface Pending extends PendingOperation {
  readonly state: PendingOperationDto['state'];
}

/**
 * What agents were given and have not answered, as far as it is to be shown: not where `record-pending` of the operation is false.
 *
 * @param open undefined where that is not known
 * @param now epoch ms, for rules
 */
export function pendingIn(open: readonly UnansweredDispatch[] | undefined, { cib }: ClusterState, now: number): readonly Pending[] {
  if (open === undefined || open.length === 0) return [];
  const reading = readingOf(cib, now);
  return open.flatMap(({ node, operation: of }): readonly Pending[] => {
    if (of === undefined) return [];
    const { resource, operation, intervalMs } = of;
    const state = operation === 'monitor' && intervalMs > 0 ? 'Monitoring' : STATES[operation];
    if (state === undefined || !reading.recordsPending(resource, operation, intervalMs)) return [];
    return [{ resource, operation, intervalMs, node, state }];
  });
}

/** Resources with what is being done to them. */
export function withPending(resources: readonly ShownResource[], operations: readonly Pending[]): readonly ShownResource[] {
  const pending = new Map<string, PendingOperationDto[]>();
  for (const { resource, state, operation, node } of operations) {
    const id = primitiveIdOf(resource);
    pending.set(id, [...(pending.get(id) ?? []), { state, operation, node }]);
  }
  return pending.size === 0 ? resources : resources.map((resource) => withThose(resource, pending));
}

function withThose(resource: ShownResource, pending: ReadonlyMap<string, readonly PendingOperationDto[]>): ShownResource {
  if (resource.kind !== 'primitive') return { ...resource, children: resource.children.map((child) => withThose(child, pending)) };
  const { id, activeOn, assignedTo } = resource;
  // Instances of a clone have one name in what agents are given: which one is meant its place tells.
  const own = (pending.get(primitiveIdOf(id)) ?? []).filter(({ node }) => node === assignedTo || activeOn.includes(node));
  return own.length === 0 ? resource : { ...resource, pending: own };
}
