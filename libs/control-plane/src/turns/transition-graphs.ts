import type { PlannedTransition, TransitionGraph } from '@systole/cluster';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { Report } from '../ports/report.js';
import type { Scheduling } from '../ports/scheduling.js';
import type { StoredGraphs } from '../ports/transition-graphs.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';

/** The graphs of running transitions: from the table, or computed again from the stream version that they were planned from. */
export class TransitionGraphs {
  constructor(
    private readonly stored: StoredGraphs,
    private readonly log: Pick<ClusterLog, 'loadAt'>,
    private readonly scheduling: Scheduling,
    private readonly report: Report,
  ) {}

  /** Undefined when the row is lost and this version of the scheduler does not come to the same graph. */
  async of({ clusterId }: ClusterAtTurn, plan: PlannedTransition): Promise<TransitionGraph | undefined> {
    const stored = await this.stored.graphOf(clusterId, plan);
    if (stored) return stored;
    this.report.info({ clusterId, transition: plan.number }, 'computing a lost transition graph again');
    const { cib } = await this.log.loadAt(clusterId, plan.inputVersion);
    const planned = await this.scheduling.schedule(cib, plan.now);
    if (planned.digest !== plan.digest) {
      this.report.warn(
        { clusterId, transition: plan.number, planned: plan.digest, now: planned.digest },
        'the graph has changed its digest',
      );
      return undefined;
    }
    await this.stored.store(clusterId, plan.number, planned);
    return planned.graph;
  }
}
