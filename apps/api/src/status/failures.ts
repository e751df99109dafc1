import { childrenNamed, type XmlElement } from '@systole/cib';
import { nodeAttributesOf, type ClusterState } from '@systole/cluster';
import { momentOf } from './moment.js';
import { nodeHistories, nodeStates } from './node-histories.js';
import type { FailCountDto, FailureDto } from './status.dto.js';

/** Failures in the history: the entries `R_last_failure_0` (specification 03 §6). */
export function failuresIn(cib: XmlElement): readonly FailureDto[] {
  return failedOperations(cib).map(({ failure }) => failure);
}

/** The failures in a history that were not in an earlier one. */
export function failuresSince(earlier: XmlElement, cib: XmlElement): readonly FailureDto[] {
  const known = new Set(failedOperations(earlier).map(({ execution }) => execution));
  return failedOperations(cib).flatMap(({ failure, execution }) => (known.has(execution) ? [] : [failure]));
}

interface FailedOperation {
  readonly failure: FailureDto;
  /** Differs from that of every other execution: place, call and transition. */
  readonly execution: string;
}

/** By document: a status is made anew each second, and most documents are the ones of a second ago. */
const failedIn = new WeakMap<XmlElement, readonly FailedOperation[]>();

function failedOperations(cib: XmlElement): readonly FailedOperation[] {
  const found = failedIn.get(cib) ?? failedOperationsIn(cib);
  failedIn.set(cib, found);
  return found;
}

function failedOperationsIn(cib: XmlElement): readonly FailedOperation[] {
  return nodeHistories(cib).flatMap(({ node, history }) =>
    childrenNamed(history, 'lrm_rsc_op')
      .filter(({ attributes }) => attributes['id']?.endsWith('_last_failure_0') === true && !isProbeThatFoundOut(attributes))
      .map(({ attributes }): FailedOperation => ({
        execution: executionOf(node, attributes),
        failure: {
          resource: history.attributes['id'] ?? '',
          node,
          operation: attributes['operation'] ?? '',
          intervalMs: Number(attributes['interval'] ?? '0'),
          rc: Number(attributes['rc-code'] ?? '0'),
          ...(attributes['exit-reason'] === undefined || attributes['exit-reason'] === '' ? {} : { exitReason: attributes['exit-reason'] }),
          ...momentOf('at', attributes['last-rc-change']),
        },
      })),
  );
}

function executionOf(node: string, attributes: XmlElement['attributes']): string {
  const which = ['id', 'call-id', 'transition-key', 'rc-code', 'last-rc-change'].map((name) => attributes[name] ?? '');
  return [node, ...which].join('\n');
}

/** OCF: running, not running, running in the promoted role. */
const SOUND_STATES: readonly (string | undefined)[] = ['0', '7', '8'];

/** A probe that found another state than was expected is recorded like a failure, but found nothing wrong (specification 03 §7.5). */
function isProbeThatFoundOut({ operation, interval, 'rc-code': rc, 'op-status': status }: XmlElement['attributes']): boolean {
  const completed = status === undefined || status === '0';
  return operation === 'monitor' && (interval ?? '0') === '0' && completed && SOUND_STATES.includes(rc);
}

const FAIL_COUNT = /^fail-count-(.+)#([^#]+)_(\d{1,15})$/;

/** Fail counts: the node attributes `fail-count-R#op_ms` (specification 03 §6.1). @param now epoch ms, for rules */
export function failCountsIn(state: ClusterState, now: number): readonly FailCountDto[] {
  return nodeStates(state.cib).flatMap(({ node }) => {
    const attributes = nodeAttributesOf(state, node, now);
    return [...attributes].flatMap(([name, count]): FailCountDto[] => {
      const [, resource, operation, interval] = FAIL_COUNT.exec(name) ?? [];
      if (resource === undefined || operation === undefined || interval === undefined || count === '0') return [];
      const last = attributes.get(name.replace('fail-count-', 'last-failure-'));
      return [{ resource, node, operation, intervalMs: Number(interval), count, ...momentOf('lastFailure', last) }];
    });
  });
}
