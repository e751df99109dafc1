import { childrenNamed, firstChildNamed } from '@systole/cib';
import { type Cluster, type ClusterNode, rawFailCount, type Resource } from '@systole/scheduler';
import { dateText } from './date-text.js';
import { exitText, statusText } from './exit-text.js';
import { isMaskedProbe } from './failed-probes.js';

/** Failures of one resource on a node. */
export interface ShownFailCount {
  readonly resource: Resource;
  /** Under which history knows it. */
  readonly name: string;
  readonly failCount: number;
  /** Epoch seconds; 0 when unknown. */
  readonly lastFailure: number;
}

/** The fail counts of each online node with a status, in the order of the status section (specification 08 §6.8). */
export function shownFailCounts(cluster: Cluster): { readonly node: ClusterNode; readonly counts: readonly ShownFailCount[] }[] {
  const status = cluster.cib.firstNamed('status');
  return (status ? childrenNamed(status, 'node_state') : []).flatMap((state) => {
    const node = cluster.nodeByName(state.attributes['uname'] ?? '');
    if (!node?.online) return [];
    const lrm = firstChildNamed(state, 'lrm');
    const resources = lrm && firstChildNamed(lrm, 'lrm_resources');
    const counts = (resources ? childrenNamed(resources, 'lrm_resource') : []).flatMap(({ attributes }) => {
      const name = attributes['id'] ?? '';
      const resource = cluster.resourceNames.first(name);
      if (!resource) return [];
      const { count, lastFailure } = rawFailCount(cluster, resource, node);
      return count > 0 ? [{ resource, name, failCount: count, lastFailure }] : [];
    });
    return [{ node, counts }];
  });
}

/** A line of the migration summary. */
export function failCountLine({ resource, name, failCount, lastFailure }: ShownFailCount, localOffsetSeconds?: number): string {
  const when = lastFailure > 0 ? ` last-failure='${dateText(lastFailure, localOffsetSeconds)}'` : '';
  return `${name}: migration-threshold=${resource.migrationThreshold} fail-count=${failCount}${when}`;
}

/** One failed operation, in the words of its history entry. */
export interface ShownFailure {
  /** The operation's key, or the id of an entry that has none. */
  readonly key: string;
  readonly hasKey: boolean;
  readonly node: string;
  readonly rc: number;
  readonly exitText: string;
  readonly callId: string;
  readonly statusText: string;
  /** Absent when none was recorded, which is not the same as an empty one. */
  readonly exitReason?: string;
  /** Epoch seconds. */
  readonly lastChange?: number;
  /** Milliseconds, as recorded. */
  readonly queued?: string;
  readonly executed?: string;
  readonly interval: string;
  readonly task: string;
}

/** Failed operations, except probes that found nothing to run. @param isShown of the others, each */
export function shownFailures(
  cluster: Cluster,
  isShown: (operation: Cluster['failedOperations'][number]) => boolean = () => true,
): ShownFailure[] {
  return cluster.failedOperations
    .filter((operation) => !isMaskedProbe(operation.element) && isShown(operation))
    .map(({ element: { attributes }, key, node }) => {
      const rc = Number(attributes['rc-code'] ?? 0);
      const changed = cluster.cib.integer(attributes['last-rc-change']);
      const { 'queue-time': queued, 'exec-time': executed, 'exit-reason': exitReason } = attributes;
      return {
        key,
        hasKey: attributes['operation_key'] !== undefined,
        node: node.name,
        rc,
        exitText: exitText(rc),
        callId: attributes['call-id'] ?? '',
        statusText: statusText(Number(attributes['op-status'] ?? 0)),
        ...(exitReason === undefined ? {} : { exitReason }),
        ...(changed === undefined ? {} : { lastChange: changed }),
        ...(queued === undefined ? {} : { queued }),
        ...(executed === undefined ? {} : { executed }),
        interval: attributes['interval'] ?? '0',
        task: attributes['operation'] ?? '',
      };
    });
}

/** A line of the list of failed operations. */
export function failureLine(failure: ShownFailure, localOffsetSeconds?: number): string {
  const { exitReason = '', lastChange, queued, executed } = failure;
  const details = [
    `call=${failure.callId}`,
    `status='${failure.statusText}'`,
    exitReason === '' ? undefined : `exitreason='${exitReason}'`,
    lastChange === undefined ? undefined : `last-rc-change='${dateText(lastChange, localOffsetSeconds)}'`,
    queued === undefined ? undefined : `queued=${queued}ms`,
    executed === undefined ? undefined : `exec=${executed}ms`,
  ];
  return `${failure.key} on ${failure.node} '${failure.exitText}' (${failure.rc}): ${details.filter((detail) => detail !== undefined).join(', ')}`;
}
