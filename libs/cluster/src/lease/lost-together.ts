import { readingOf } from '@systole/cib';
import type { ClusterEvent, RecordedClusterEvent } from '../events/cluster-event.js';
import type { ElapsedSince } from './elapsed-since.js';
import { memberOf, type ClusterState, type NodeLoss, type NodeMember } from '../state/cluster-state.js';
import { isGuestOf } from '../remote/guests.js';
import { fencedByDevice } from '../remote/remote-nodes.js';

/**
 * Nodes that were lost within the length of a lease of one another, for renewals of nodes that are cut off together are up to that far apart. Who of them is back since
 * still tells that it was one fault: agents find back one after another, and the last of them must not be taken for the only one that was lost. So do those whose leases were overdue at a loss,
 * though they were renewed in time.
 *
 * A host and a guest that runs on it are one node in this: whatever takes the host takes the guest.
 */

/**
 * Notes the loss of a node, and whom it was lost with: as the worker measured that found it, and by the dates of the log where it did not. After a step of the clock that dates them they tell nothing:
 * losses an hour apart may bear one date, and two at once may be dated an hour apart.
 *
 * @param name of a node that is joined still
 * @param recorded its NodeLeaseLost
 */
export function withLossNoted(state: ClusterState, name: string, { occurredAt: at, version, event }: RecordedClusterEvent): ClusterState {
  const member = memberOf(state, name);
  if (member === undefined) return state;
  const { lastLoss: before, leaseMs, since } = member;
  const moment = Date.parse(at);
  const measured = event.type === 'NodeLeaseLost' ? event.data.measured : undefined;
  const isNear = (other: NodeMember): boolean => {
    if (other.name === name || other.lastLoss === undefined) return false;
    if (measured !== undefined && other.lastLoss.version <= measured.version && measured.unseen?.includes(other.name) !== true)
      return measured.near.includes(other.name);
    return Math.abs(Date.parse(other.lastLoss.at) - moment) <= Math.max(leaseMs, other.leaseMs);
  };
  const others = Object.values(state.nodes).filter((other) => isNear(other) && !isOneMachine(state, name, other.name));
  const deadTimeMs = readingOf(state.cib, moment).options.duration('dc-deadtime');
  const again = before !== undefined && isUnplanned(state, before.first) && moment - Date.parse(since) < deadTimeMs;
  const loss: NodeLoss = {
    at,
    version,
    first: again ? before.first : { at, version },
    ...(others.length === 0 && !besideOverdue(state, name, event) ? {} : { withOthers: true }),
  };
  const nodes = others.flatMap((other): (readonly [string, NodeMember])[] =>
    other.lastLoss === undefined ? [] : [[other.name, { ...other, lastLoss: { ...other.lastLoss, withOthers: true } }]],
  );
  return { ...state, nodes: { ...state.nodes, ...Object.fromEntries(nodes), [name]: { ...member, lastLoss: loss } } };
}

/** A lost node that was not lost alone. */
export interface LostWithOthers {
  readonly member: NodeMember;
  /** Since its loss, ms; where it comes and goes (`NodeLoss.first`), since the first: so nobody is waited for again and again. */
  readonly forMs: number;
}

/**
 * The configured nodes that are lost, and were not lost alone.
 *
 * To be asked as soon as anything was lost: whoever measures by a clock of its own has to see each loss when it comes.
 *
 * @param elapsed how long ago, ms, `cause` happened
 */
export function lostTogether(state: ClusterState, elapsed: ElapsedSince): readonly LostWithOthers[] {
  const configured = new Set(fencedByDevice(state.cib));
  const losses = Object.values(state.nodes).flatMap((member) => {
    const { name, leaseMs, lastLoss } = member;
    if (lastLoss === undefined || !(member.membership === 'lost' || isUnplanned(state, lastLoss))) return [];
    const ms = elapsed(`loss of ${name}`, Date.parse(lastLoss.at), lastLoss.version);
    return [
      { member, leaseMs, ms, forMs: elapsed(`first loss of ${name}`, Date.parse(lastLoss.first.at), lastLoss.first.version), lastLoss },
    ];
  });
  const byTime = losses.toSorted((a, b) => a.ms - b.ms);
  return byTime.flatMap(({ member, leaseMs, ms, forMs, lastLoss }, index) => {
    if (member.membership !== 'lost' || !configured.has(member.name)) return [];
    const isNear = (step: 1 | -1): boolean => {
      const other = nextOf(byTime, index, step, (one) => !isGuestOf(state, one.member.name, member.name));
      return other !== undefined && Math.abs(other.ms - ms) <= Math.max(leaseMs, other.leaseMs);
    };
    return lastLoss.withOthers === true || isNear(-1) || isNear(1) ? [{ member, forMs }] : [];
  });
}

function besideOverdue(state: ClusterState, name: string, event: ClusterEvent): boolean {
  return event.type === 'NodeLeaseLost' && (event.data.overdue ?? []).some((other) => !isOneMachine(state, name, other));
}

function isOneMachine(state: ClusterState, one: string, other: string): boolean {
  return isGuestOf(state, one, other) || isGuestOf(state, other, one);
}

/** The next item that counts, in one direction. */
function nextOf<T>(items: readonly T[], index: number, step: 1 | -1, counts: (item: T) => boolean): T | undefined {
  for (let at = index + step; ; at += step) {
    const item = items[at];
    if (item === undefined || counts(item)) return item;
  }
}

/** Whether no plan was made since. */
function isUnplanned({ lastPlanned }: Pick<ClusterState, 'lastPlanned'>, { version }: { readonly version: number }): boolean {
  return version > (lastPlanned?.plannedVersion ?? 0);
}
