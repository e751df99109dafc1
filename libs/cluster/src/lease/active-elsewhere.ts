import { childrenNamed, cloneOf, isGloballyUnique, parseBoolean, parseInteger, readingOf, type XmlElement } from '@systole/cib';
import type { ClusterState, NodeMember } from '../state/cluster-state.js';
import { historyOf, isActive, mayBeActive } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';

/**
 * Whether what a node runs on with would be active too often, as far as anything was heard of other nodes: a resource that another one may run; of an anonymous
 * clone, whose instances share one history id, one more than `clone-max`, or than `promoted-max` if this one is promoted (nobody knows whether it is).
 *
 * @param promotionHeld nothing was promoted elsewhere since the node went away (`leftRunning`): what is promoted there was so beside it
 * @param counts whether the history of another node says that the resource is, or may be, active there
 */
export function wouldBeActiveTooOften(
  state: ClusterState,
  node: string,
  historyId: string,
  {
    promotionHeld,
    counts = (_, history) => mayBeActive(history, historyId),
  }: {
    readonly promotionHeld: boolean;
    readonly counts?: (other: NodeMember, history: XmlElement) => boolean;
  },
): boolean {
  const elsewhere = Object.values(state.nodes).flatMap((other) => {
    const history = other.name === node ? undefined : historyOf(nodeStateOf(state.cib, other), historyId);
    return history !== undefined && counts(other, history) ? [history] : [];
  });
  if (elsewhere.length === 0) return false;
  const resource = readingOf(state.cib, planTime(state)).resource(historyId);
  const clone = resource === undefined ? undefined : cloneOf(resource);
  if (resource === undefined || clone === undefined || isGloballyUnique(resource.meta)) return true;
  const most = parseInteger(clone.meta.get('clone-max'));
  if (most !== undefined && elsewhere.length >= most) return true;
  if (promotionHeld || parseBoolean(clone.meta.get('promotable')) !== true) return false;
  const mostPromoted = parseInteger(clone.meta.get('promoted-max') ?? clone.meta.get('master-max')) ?? 1;
  return elsewhere.filter((history) => mayBePromoted(history, historyId)).length >= mostPromoted;
}

/**
 * Whether the log knows other nodes to run so many that none of it can run on this one. As long as a transition is under way what can be migrated may be on its way from
 * there to here. Not of a node that was lost and counts as stopped since (without fencing): its history stays, whatever was started elsewhere.
 */
export function isKnownElsewhere(state: ClusterState, node: string, historyId: string): boolean {
  const counts = ({ givenUp }: NodeMember, history: XmlElement): boolean => givenUp !== true && isActive(history, historyId);
  if (!wouldBeActiveTooOften(state, node, historyId, { promotionHeld: false, counts })) return false;
  const resource = readingOf(state.cib, planTime(state)).resource(historyId);
  return state.transition === undefined || parseBoolean(resource?.meta.get('allow-migrate')) !== true;
}

/** Return codes of what is, or may be, promoted: running, failed, degraded. */
const PROMOTED: ReadonlySet<string | undefined> = new Set(['8', '9', '191']);

/** Whether an instance that may be active may be promoted: all but what was started, demoted or found unpromoted last, and not found promoted since. */
function mayBePromoted(history: XmlElement, historyId: string): boolean {
  const entries = childrenNamed(history, 'lrm_rsc_op').map(({ attributes }) => attributes);
  const last = entries.find(({ id }) => id === `${historyId}_last_0`);
  const unpromoted = last?.['rc-code'] === '0' && (last['operation'] ?? '') !== 'promote';
  return !unpromoted || entries.some((entry) => entry['operation'] === 'monitor' && PROMOTED.has(entry['rc-code']));
}
