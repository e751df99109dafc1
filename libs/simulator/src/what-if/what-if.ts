import type { Cib } from '@systole/cib';
import { readState } from '@systole/scheduler';
import type { ExecutionEvent } from '../execution/executed-action.js';
import type { ExecutionEnd } from '../execution/order-of-execution.js';
import type { InjectedChange } from '../injections/injected-change.js';
import { affectedBetween, nameOf, placesIn, type AffectedResource } from '../resilience/effects.js';
import { clusterStatus, type ClusterStatus } from '../simulation/simulate.js';
import { carryOutUntilRest, type Assumed } from '../simulation/until-rest.js';
import { describeChanges, type DescribedTransition } from '../summary/describe-changes.js';

/** One plan, as it was carried out in thought. */
export interface SupposedPlan {
  readonly transition: DescribedTransition;
  readonly executed: readonly ExecutionEvent[];
  /** `terminated`: some action could never begin. */
  readonly end: ExecutionEnd;
}

/** What would become of a cluster, as plain data. */
export interface Supposed {
  /** Before anything happens. */
  readonly before: ClusterStatus;
  readonly modifications: readonly InjectedChange[];
  /** In their order; none when nothing would be done. */
  readonly plans: readonly SupposedPlan[];
  /** Whether nothing is left to be done after them; false when there is no end to it in sight. */
  readonly rests: boolean;
  /** What became of the resources that ran; the worst first, then by name. */
  readonly affected: readonly AffectedResource[];
  readonly after: ClusterStatus;
}

/**
 * What would become of a cluster to which something happens: planned and carried out, in thought, until it rests. Pure.
 *
 * @throws {UnknownNodeError} when an injection names a node that nothing knows
 */
export function whatIf(cib: Cib, assumed: Assumed): Supposed {
  const { now } = assumed;
  const was = readState(cib, { now, scores: false });
  const stopped = new Set<string>();
  const modifications: InjectedChange[] = [];
  const plans: SupposedPlan[] = [];
  let executed: ExecutionEvent[] = [];
  let transition: DescribedTransition = { nodes: [], resources: [] };
  const { output, plans: needed } = carryOutUntilRest(cib, assumed, {
    modified: (changes) => modifications.push(...changes),
    planned: (run) => {
      transition = describeChanges(run);
      executed = [];
    },
    executed: (event) => {
      executed.push(event);
      if (event.kind === 'resource-action' && event.operation === 'stop') stopped.add(nameOf(event.resource));
    },
    ended: (end) => plans.push({ transition, executed, end }),
  });
  const is = readState(output, { now, scores: false });
  return {
    before: clusterStatus(was, now),
    modifications,
    plans,
    rests: needed !== undefined,
    affected: affectedBetween(placesIn(was, now), placesIn(is, now, new Set(assumed.unfenceable)), stopped),
    after: clusterStatus(is, now),
  };
}
