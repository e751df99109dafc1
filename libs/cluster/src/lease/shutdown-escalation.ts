import { readingOf } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';

/** How long agents that are to end wait for what runs on their nodes to be stopped or moved: option `shutdown-escalation`. Ms; nothing: for ever. */
export function shutdownEscalation(state: ClusterState): { readonly shutdownEscalationMs?: number } {
  const shutdownEscalationMs = readingOf(state.cib, planTime(state)).options.duration('shutdown-escalation');
  return shutdownEscalationMs === 0 ? {} : { shutdownEscalationMs };
}
