import { readingOf } from '@systole/cib';
import {
  countedFailures,
  fencingStep,
  memberOf,
  mostFencingFailures,
  recheckIntervalMs,
  repeatedFencing,
  requestedFencing,
  retryPauseMs,
  type ClusterState,
} from '@systole/cluster';
import type { TroubleDto } from './status.dto.js';
import { policyInForce } from './without-quorum.js';

/**
 * Fencing that fails: what stands between a lost node and its resources' being anywhere. A node that is known to be down needs none. What somebody asked
 * for that can't be carried out. And a node that is fenced again and again.
 *
 * @param now epoch ms, for rules
 */
export function fencingTroubles(state: ClusterState, now: number): readonly TroubleDto[] {
  return [...failing(state, now), ...unfulfilled(state, now), ...heldUp(state, now), ...repeated(state, now)];
}

function repeated(state: ClusterState, now: number): readonly TroubleDto[] {
  return repeatedFencing(state, now).map(({ node, count }) => ({
    code: 'fenced-repeatedly',
    level: 'bad',
    text: `${node} was fenced ${String(count)} times within ten minutes: it comes back, and has to be fenced again. Look at why, and keep its agent from starting, or the machine off, until that is mended`,
  }));
}

/** Requests that nothing comes of, and why. What fails stands there already. */
function unfulfilled(state: ClusterState, now: number): readonly TroubleDto[] {
  const underWay = new Set(Object.values(state.fencing).map(({ target }) => target));
  return requestedFencing(state, now).flatMap((target): TroubleDto[] => {
    if (underWay.has(target) || Object.hasOwn(state.fencingFailures, target)) return [];
    const reason = obstacle(state, target, now);
    if (reason === undefined) return [];
    return [{ code: 'fencing-blocked', level: 'bad', text: `fencing of ${target} was asked for and can't be carried out: ${reason}` }];
  });
}

/** Lost nodes that are to be fenced by a transition, which waits for ever: nothing can be tried. What fails, and what somebody asked for, stands there already. */
function heldUp(state: ClusterState, now: number): readonly TroubleDto[] {
  if (state.transition?.status !== 'running' || !readingOf(state.cib, now).options.flag('fencing-enabled')) return [];
  const { number } = state.transition;
  const asked = new Set(requestedFencing(state, now));
  return Object.values(state.nodes).flatMap(({ name, membership }): TroubleDto[] => {
    if (membership !== 'lost' || asked.has(name) || Object.hasOwn(state.fencingFailures, name)) return [];
    const step = fencingStep(state, { transition: number, graphActionId: -1, target: name, action: 'off' });
    if (step.type !== 'held') return [];
    return [
      {
        code: 'fencing-blocked',
        level: 'bad',
        text: `${name} is lost, and can't be fenced: ${step.reason}. What ran there starts nowhere until then`,
      },
    ];
  });
}

function obstacle(state: ClusterState, target: string, now: number): string | undefined {
  if (!readingOf(state.cib, now).options.flag('fencing-enabled')) return 'fencing is switched off';
  const policy = policyInForce(state, now);
  // Without quorum the scheduler fences only who is there.
  if (policy !== undefined && policy !== 'ignore' && memberOf(state, target)?.membership !== 'joined') return 'no quorum';
  const step = fencingStep(state, { transition: -1, graphActionId: -1, target, action: 'off' });
  if (step.type === 'held') return step.reason;
  return state.transition === undefined && state.recompute === undefined ? 'the scheduler plans none' : undefined;
}

function failing(state: ClusterState, now: number): readonly TroubleDto[] {
  return Object.entries(state.fencingFailures).flatMap(([target, { count, last }]): TroubleDto[] => {
    const membership = memberOf(state, target)?.membership;
    if (membership === 'down' || membership === 'left') return [];
    const reason = last.detail ?? (last.outcome === 'timeout' ? 'no answer in time' : 'no reason given');
    const failed = `fencing of ${target} failed ${String(count)} ${count === 1 ? 'time' : 'times'}: ${reason} (${last.device}, by ${last.executor})`;
    const next = nextTry(state, target, now);
    // Of a node that holds its lease nobody's word that it is down is taken.
    const vouch = membership === 'joined' ? '' : `, or make sure that ${target} is off and run: systole node confirm-down ${target}`;
    const wayOut = `repair the device and clean it up${vouch}`;
    return [{ code: 'fencing-failed', level: 'bad', text: `${failed}; ${next}: ${wayOut}` }];
  });
}

function nextTry(state: ClusterState, target: string, now: number): string {
  if (Object.values(state.fencing).some((attempt) => attempt.target === target)) return 'it is being tried again';
  const failures = countedFailures(state, target);
  if (failures < mostFencingFailures(state.cib, now)) return `tried again after a pause of ${String(retryPauseMs(failures) / 1_000)} s`;
  const recheckMs = recheckIntervalMs(state.cib, now);
  const until = Number.isFinite(recheckMs) ? ` for ${String(Math.round(recheckMs / 1_000))} s (cluster-recheck-interval)` : '';
  return `given up${until}, for fencing-max-attempts is reached`;
}
