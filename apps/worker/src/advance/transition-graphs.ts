import { serializeXml } from '@systole/cib';
import type { PlannedTransition } from '@systole/cluster';
import type { ClusterStates } from '@systole/read-models';
import type { TransitionGraph } from '@systole/scheduler';
import type { Logger } from 'pino';
import type { SchedulePool } from '../scheduling/schedule-pool.js';
import type { TransitionRows } from '../tables/transition-rows.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';

/** The graphs of running transitions: from the table, or computed again from the stream version that they were planned from. */
export class TransitionGraphs {
  constructor(
    private readonly rows: TransitionRows,
    private readonly states: ClusterStates,
    private readonly schedules: SchedulePool,
    private readonly log: Logger,
  ) {}

  /** Undefined when the row is lost and this version of the scheduler does not come to the same graph. */
  async of({ clusterId }: ClusterAtTurn, plan: PlannedTransition): Promise<TransitionGraph | undefined> {
    const stored = await this.rows.graphOf(clusterId, plan);
    if (stored) return stored;
    this.log.info({ clusterId, transition: plan.number }, 'computing a lost transition graph again');
    const { cib } = await this.states.loadAt(clusterId, plan.inputVersion);
    const planned = await this.schedules.schedule(serializeXml(cib), plan.now);
    if (planned.digest !== plan.digest) {
      this.log.warn({ clusterId, transition: plan.number, planned: plan.digest, now: planned.digest }, 'the graph has changed its digest');
      return undefined;
    }
    await this.rows.store(clusterId, plan.number, planned);
    return planned.graph;
  }
}
