import type { Clock } from '../ports/clock.js';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { Report } from '../ports/report.js';
import { repeat, type Repeating } from '../time/repeating.js';

/** Where a cluster's stream stood when this worker last left it at rest, and when something falls due. */
export interface Rest {
  readonly version: number;
  /** Ms from then; absent: only an event can make something due. */
  readonly wakeInMs?: number;
}

/** Where the sweep's findings go. */
export interface SweepActions {
  readonly want: (clusterId: string) => void;
  /** Told after each look over all clusters. */
  readonly swept: () => Promise<void>;
}

/** A timer that fires a little early would find nothing due and be set again. */
export const TIMER_SLACK_MS = 10;
/** Timers of machines do not count further than 24 days; whoever is woken for nothing rests again. */
const LONGEST_TIMER_MS = 86_400_000;

/** What is left of a rest: a version, and how to call its timer off. */
interface Resting {
  readonly version: number;
  readonly cancel: () => void;
}

/**
 * What this worker does without being told: it wakes clusters when something falls due, and looks over all clusters now and then for what nobody announced: after a start everything, then
 * what has moved without this worker's having seen it at rest.
 */
export class ClusterSweep {
  private readonly resting = new Map<string, Resting>();
  private running: Repeating | undefined;

  constructor(
    private readonly log: Pick<ClusterLog, 'heads'>,
    private readonly clock: Clock,
    private readonly actions: SweepActions,
    private readonly everyMs: number,
    private readonly report: Report,
  ) {}

  /** Told by the advance that it left the cluster at rest. */
  atRest(clusterId: string, { version, wakeInMs }: Rest): void {
    this.resting.get(clusterId)?.cancel();
    const cancel =
      wakeInMs === undefined
        ? () => undefined
        : this.clock.after(Math.min(LONGEST_TIMER_MS, wakeInMs + TIMER_SLACK_MS), () => {
            this.actions.want(clusterId);
          });
    this.resting.set(clusterId, { version, cancel });
  }

  start(): void {
    this.running ??= repeat(
      this.clock,
      this.everyMs,
      () => this.sweep(),
      (error) => {
        this.report.warn({ err: error }, 'clusters could not be looked over; trying again');
      },
    );
  }

  async stop(): Promise<void> {
    for (const { cancel } of this.resting.values()) cancel();
    await this.running?.stop();
  }

  private async sweep(): Promise<void> {
    const heads = await this.log.heads();
    const live = new Set(heads.map(({ id }) => id));
    for (const [id, { cancel }] of this.resting) {
      if (live.has(id)) continue;
      cancel();
      this.resting.delete(id);
    }
    for (const { id, version } of heads) if (this.resting.get(id)?.version !== version) this.actions.want(id);
    await this.actions.swept();
  }
}
