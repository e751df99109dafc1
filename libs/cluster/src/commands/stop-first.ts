import { wouldBeActiveTooOften } from '../lease/active-elsewhere.js';
import { resourcesOf } from '../lease/left-running.js';
import { unmanagedAmong } from '../lease/unmanaged.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { planTime } from '../state/plan-time.js';
import type { JoinNode } from './agent-command.js';
import type { Decision } from './decision.js';
import { reject } from './rejection.js';

/** Whether the newest life of the node counts as over, so that what ran there may have been started on other nodes. */
export function mayRunElsewhere({ membership, givenUp }: NodeMember): boolean {
  return membership === 'down' || membership === 'left' || (membership === 'lost' && givenUp === true);
}

/**
 * Refuses the join of a node that may still run what was started elsewhere since: what ran there under a life that counts as over is stopped before anything
 * else (safety rule S1). So is what ran under another boot than the one that joined last: that one was let in because this one counted as down.
 * The refusal points at each of the resources.
 *
 * What is not managed is not started anywhere, so it may go on through maintenance, even if the agent left meanwhile; nor is what the node is known to have left running
 * (`leftRunning`), managed by now or not. But not where it would be active too often, as another node has it
 * ({@link wouldBeActiveTooOften}).
 */
export function stopFirst(
  { node, bootId, active = [], lastIncarnation = 0, stopFailed = [] }: JoinNode,
  state: ClusterState,
): Decision | undefined {
  const member = memberOf(state, node);
  if (member === undefined) return undefined;
  const replaced = member.bootId !== undefined && bootId !== undefined && bootId !== member.bootId && lastIncarnation < member.incarnation;
  if (!replaced && !mayRunElsewhere(member)) return undefined;
  const unmanaged = new Set(unmanagedAmong(state, node, active, planTime(state)));
  const failed = new Set(stopFailed);
  const left = new Set(resourcesOf(member.leftRunning ?? []));
  const issues = active.flatMap((historyId, index) => {
    // While a transition winds down a start may be under way, but not of what is held.
    const mayGoOn = left.has(historyId) || (unmanaged.has(historyId) && state.transition?.status !== 'aborting');
    if (failed.has(historyId) || (mayGoOn && !wouldBeActiveTooOften(state, node, historyId, { promotionHeld: left.has(historyId) })))
      return [];
    return [{ pointer: `/active/${String(index)}`, message: `${historyId} may run elsewhere by now: stop it` }];
  });
  if (issues.length === 0) return undefined;
  const message = `${node} counts as ${replaced ? 'replaced' : 'down'} since ${member.since}: stop everything that runs there, then join again`;
  return reject(state, 'declared-down', message, { pointer: '/active', issues });
}
