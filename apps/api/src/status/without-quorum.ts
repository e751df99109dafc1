import { readingOf } from '@systole/cib';
import type { ClusterState } from '@systole/cluster';

export type QuorumPolicy = 'stop' | 'freeze' | 'ignore' | 'demote' | 'fence';

/** What each policy does to a cluster without quorum, for people. */
const CONSEQUENCES: Readonly<Record<QuorumPolicy, string>> = {
  stop: 'what runs is stopped, and nothing is started',
  freeze: 'what runs goes on, and nothing is started',
  ignore: 'the cluster goes on as if it had quorum',
  demote: 'what is promoted is demoted, everything else is stopped, and nothing is started',
  fence: 'the nodes that are left are fenced',
};

/**
 * The `no-quorum-policy` that is in force; undefined with quorum. `fence` (also `suicide`) is `stop` without fencing, and before there was quorum once.
 *
 * @param now epoch ms, for rules
 */
export function policyInForce({ cib, quorum }: ClusterState, now: number): QuorumPolicy | undefined {
  if (quorum === undefined || quorum.quorate) return undefined;
  const { options } = readingOf(cib, now);
  const policy = options.choice('no-quorum-policy');
  switch (policy) {
    case 'freeze':
    case 'ignore':
    case 'demote':
      return policy;
    case 'fence':
    case 'suicide':
      return options.flag('fencing-enabled') && cib.attributes['no-quorum-panic'] === '1' ? 'fence' : 'stop';
    default:
      return 'stop';
  }
}

/**
 * `no-quorum-policy is freeze: what runs goes on, and nothing is started`. As long as planning is held no policy does anything.
 *
 * @param planningHeld why nothing is planned yet
 */
export function policyText(policy: QuorumPolicy, planningHeld?: string): string {
  if (planningHeld === undefined) return `no-quorum-policy is ${policy}: ${CONSEQUENCES[policy]}`;
  return `no-quorum-policy is ${policy}, but nothing is planned yet, and nothing changed: ${planningHeld}`;
}
