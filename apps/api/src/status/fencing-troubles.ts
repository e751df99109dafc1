import { countedFailures, memberOf, mostFencingFailures, recheckIntervalMs, retryPauseMs, type ClusterState } from '@systole/cluster';
import type { TroubleDto } from './status.dto.js';

/**
 * Fencing that fails: what stands between a lost node and its resources' being anywhere. A node that is known to be down needs none.
 *
 * @param now epoch ms, for rules
 */
export function fencingTroubles(state: ClusterState, now: number): readonly TroubleDto[] {
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
