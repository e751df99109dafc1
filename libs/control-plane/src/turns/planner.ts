import { absenceHold, awayNodes, mayRunAnything, plannedMigrations, planningHold } from '@systole/cluster';
import type { Clock } from '../ports/clock.js';
import type { WorkerFigures } from '../ports/figures.js';
import type { Scheduling } from '../ports/scheduling.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';
import type { Decisions } from './decisions.js';
import { nextPlanDue } from './next-plan.js';
import { PlanPace } from './plan-pace.js';
import type { PlanWants } from './plan-wants.js';
import { MOVED, restingUntil, type Progress } from './progress.js';
import type { TransitionGraphs } from './transition-graphs.js';

/** How often it is looked whether agents can reach the servers again, ms. */
const SERVED_LOOK_MS = 1_000;

/** Plans the next transition of a cluster in which none is running, when there is a reason to. */
export class Planner {
  private readonly pace: PlanPace;

  constructor(
    private readonly scheduling: Scheduling,
    private readonly decisions: Decisions,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly graphs: Pick<TransitionGraphs, 'begin'>,
    private readonly wants: PlanWants,
    private readonly figures: Pick<WorkerFigures, 'planned' | 'overtaken'>,
  ) {
    this.pace = new PlanPace(() => clock.monotonic());
  }

  /** Of a cluster that is gone. */
  forget(clusterId: string): void {
    this.pace.forget(clusterId);
  }

  async turn(cluster: ClusterAtTurn): Promise<Progress> {
    const { clusterId, state, now } = cluster;
    const isToBeDeleted = state.stopping !== undefined && state.stopping.ofBefore !== true;
    if (isToBeDeleted && !mayRunAnything(state)) return this.deleteStopped(cluster);
    const hold = planningHold(state, cluster.witnessed, now, cluster.overdue);
    if (hold) return restingUntil(now + hold.forMs);
    const absence = absenceHold(state, cluster.servedForMs, cluster.elapsed, now);
    if (absence) return restingUntil(now + Math.min(absence.forMs, SERVED_LOOK_MS));
    const due = nextPlanDue(cluster);
    if (due.inMs > 0) return restingUntil(now + due.inMs);
    const pauseMs = this.pace.pauseOf(clusterId);
    if (pauseMs > 0) return restingUntil(now + pauseMs);

    this.wants.begin(clusterId);
    const begun = this.clock.monotonic();
    const planned = await this.scheduling.schedule(clusterId, state.cib, Math.floor(now / 1000));
    cluster.assertHeld();
    const { actions, pseudo, fencing } = planned.counts;
    const isOver = actions + pseudo + fencing === 0 && planned.active === 0 && awayNodes(state).length === 0;
    if (isToBeDeleted && isOver) return this.deleteStopped(cluster);
    const { recheckBy } = planned.graph;
    const migrations = plannedMigrations(planned.graph);
    const decision = await this.decisions.append(cluster, {
      type: 'plan-transition',
      plan: {
        inputVersion: state.version,
        now: Math.floor(now / 1000),
        schedulerVersion: this.scheduling.version,
        digest: planned.digest,
        counts: planned.counts,
        ...(recheckBy === undefined ? {} : { recheckBy }),
        trigger: due.reason,
        summary: planned.summary,
        ...(migrations.length === 0 ? {} : { migrations }),
      },
    });
    if (decision.type === 'appended') {
      this.graphs.begin(clusterId, state.lastTransitionNumber + 1, planned);
      this.pace.planned(clusterId, this.clock.monotonic() - begun);
      this.figures.planned({ wantedForMs: this.wants.end(clusterId), schedulerMs: planned.schedulerMs });
    }
    if (decision.type === 'stale') this.figures.overtaken();
    return { type: 'moved' };
  }

  /** Nothing runs any more: what was asked for when the stop began is done. */
  private async deleteStopped(cluster: ClusterAtTurn): Promise<Progress> {
    const reason = 'everything was stopped first';
    await this.decisions.append(cluster, { type: 'delete-cluster', reason }, ({ leases }) => leases.endAll(cluster.clusterId));
    return MOVED;
  }
}
