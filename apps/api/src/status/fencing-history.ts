import { Injectable } from '@nestjs/common';
import type { ClusterEvent, ClusterState } from '@systole/cluster';
import { EventStore, type RecordedEvent } from '@systole/event-store';
import type { FencingRecord } from '@systole/simulator';
import { OURSELVES, secondsOf } from '../reads/monitor-words.js';
import { notSeenFencing } from './seen-fencing.js';

/** Events that one answer rests on, the newest; so it tells of no more outcomes of fencing. */
const EVENTS = 50;
/** Events that name a node and are looked at for outcomes of its own fencing, the newest: it executes that of others, too. */
const EVENTS_OF_ONE = 1_000;

type Recorded = RecordedEvent<ClusterEvent>;

/** How nodes are being fenced, and were: what `crm_mon` and `stonith_admin --history` of Pacemaker tell. */
@Injectable()
export class FencingHistory {
  constructor(private readonly store: EventStore<ClusterEvent>) {}

  /**
   * What is under way, then what is over: targets that were fenced, and those for which no way was left; each newest first. Without what somebody has noted to have seen.
   *
   * @param state as of which it is told
   * @param target name of the node whose fencing is meant; undefined: of all
   */
  async of(clusterId: string, state: ClusterState, target?: string): Promise<readonly FencingRecord[]> {
    const events = target === undefined ? await this.#newest(clusterId, state) : await this.#newestOf(target, clusterId, state);
    const ended = notSeenFencing(events).flatMap(endedBy).slice(0, EVENTS);
    return [...pendingOnes(state).filter((one) => target === undefined || one.target === target), ...ended];
  }

  #newest(streamId: string, { version }: ClusterState): Promise<readonly Recorded[]> {
    const types = ['FencingCompleted', 'FencingHistoryCleared'] as const;
    return this.store.query({ streamId, types, direction: 'backward', afterVersion: version + 1, limit: EVENTS });
  }

  /** What is noted to have been seen may concern it without naming it. */
  async #newestOf(target: string, streamId: string, { version }: ClusterState): Promise<readonly Recorded[]> {
    const query = { streamId, direction: 'backward', afterVersion: version + 1, limit: EVENTS_OF_ONE } as const;
    const [completed, seen] = await Promise.all([
      this.store.query({ ...query, types: ['FencingCompleted'], subject: target }),
      this.store.query({ ...query, types: ['FencingHistoryCleared'] }),
    ]);
    const own = completed.filter((event) => event.type === 'FencingCompleted' && event.data.target === target);
    return [...own, ...seen].toSorted((one, other) => other.version - one.version);
  }
}

function endedBy(event: Recorded): readonly FencingRecord[] {
  if (event.type !== 'FencingCompleted' || event.data.unasked === true) return [];
  const { action, target, executor, outcome, detail, confirmed = outcome === 'succeeded', exhausted } = event.data;
  const ended = { action, target, client: OURSELVES, delegate: executor, completedAt: secondsOf(event.occurredAt) };
  if (confirmed && outcome === 'succeeded') return [{ ...ended, status: 'success' }];
  // Others are tried after it: the fencing is not over.
  if (outcome === 'succeeded' || exhausted !== true) return [];
  return [{ ...ended, status: 'failed', reason: detail ?? outcome }];
}

function pendingOnes({ fencing }: ClusterState): readonly FencingRecord[] {
  return Object.values(fencing).map(({ action, target, executor }) => ({
    action,
    target,
    client: OURSELVES,
    delegate: executor,
    status: 'pending',
  }));
}
