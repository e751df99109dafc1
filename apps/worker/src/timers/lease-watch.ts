import type { LeaseVerdict } from '@systole/cluster';
import type { ApiHeartbeats, NodeLease, NodeLeases } from '@systole/read-models';
import type { Logger } from 'pino';
import type { DatabaseClock } from '../tables/database-clock.js';
import { ClockSteps } from './clock-steps.js';
import { LeaseAges } from './lease-ages.js';
import type { Look } from './look.js';
import { repeat, type Repeating } from './repeating.js';
import { ServiceSpan, type ServedSpan } from './service-span.js';

/** What the watch needs of the rest of the worker. */
export interface LeaseWatchActions {
  /** Judges a lease that ended at `endsAt`; both ms by the watch's monotonic clock. */
  judge(lease: NodeLease, endsAt: number, now: number): Promise<LeaseVerdict>;
  /** Appends NodeLeaseLost and ends the lease, in one transaction. @returns false when it was renewed meanwhile, or another worker was faster */
  declareLost(lease: NodeLease): Promise<boolean>;
  /** Votes of the cluster may have changed. */
  votesChanged(clusterId: string): Promise<void>;
}

/** A pause of the watch, beyond the time between two looks, after which it begins anew. */
const LONGEST_GAP_MS = 3_000;

/** An agent that finds no api tries again at least so often, ms (the longest pause of its back-off). */
const AGENT_PAUSE_MS = 5_000;

/** What the watch reads; `monotonic` is this process's own clock, ms. */
export interface LeaseWatchSources {
  readonly leases: Pick<NodeLeases, 'all'>;
  readonly heartbeats: Pick<ApiHeartbeats, 'all'>;
  readonly clock: Pick<DatabaseClock, 'now'>;
  readonly monotonic: () => number;
}

/**
 * Looks for leases whose renewals stand still for their length, by the monotonic clock of this process: the database's clock may step as it likes.
 * Several workers may look at the same time: each loss is appended once.
 *
 * After a pause of the server itself (a start, a database that was away, a machine that slept, a time without any api) each agent gets the length of
 * its lease to be heard again, and after a time without any api the pause between its attempts besides: that it could not renew was not its fault, and to
 * wait longer is always safe. So a lease is judged only when this watch and some api were there during all of its length, up to its very end. The
 * monotonic clock stands while a machine sleeps, and then the database's is seen to step forwards: that counts as such a time.
 */
export class LeaseWatch {
  private running: Repeating | undefined;
  private watching: { readonly since: number; readonly lastLook: number; readonly served: ServedSpan | undefined } | undefined;
  private readonly ages = new LeaseAges();
  private readonly service: ServiceSpan;
  private readonly steps = new ClockSteps();
  /** Leases that are over but not lost yet, of which the cluster knows. */
  private readonly told = new Set<string>();

  constructor(
    private readonly sources: LeaseWatchSources,
    private readonly actions: LeaseWatchActions,
    private readonly everyMs: number,
    private readonly log: Pick<Logger, 'info' | 'warn'>,
  ) {
    this.service = new ServiceSpan(everyMs);
  }

  start(): void {
    this.running ??= repeat(
      this.everyMs,
      () => this.look(),
      (error) => {
        this.watching = undefined;
        this.service.forget();
        this.log.warn({ err: error }, 'leases could not be looked over; trying again');
      },
    );
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  /** Whether this lease is over. Never before its node had the chance to be heard, nor as long as nobody can tell. */
  isOver(lease: NodeLease): boolean {
    return this.endOf(lease) <= this.sources.monotonic();
  }

  /** One look over all leases. */
  async look(): Promise<void> {
    const { leases, heartbeats, clock, monotonic } = this.sources;
    const asked = monotonic();
    const time = await clock.now();
    const rows = await leases.all();
    const apis = await heartbeats.all();
    const look: Look = { asked, answered: monotonic() };
    const unbroken = this.watching !== undefined && asked - this.watching.lastLook < this.everyMs + LONGEST_GAP_MS;
    if (!unbroken) this.service.forget();
    const stepMs = this.steps.see(time, look);
    if (stepMs !== 0) this.log.warn({ stepMs }, 'the clock of the database stepped; leases are judged without it');
    if (stepMs > 0) this.service.beginAnew(look.answered);
    this.ages.see(rows, look);
    const served = this.service.see(apis, look);
    const since = unbroken && stepMs <= 0 ? (this.watching?.since ?? look.answered) : look.answered;
    this.watching = { since, lastLook: asked, served };
    const over = rows.filter((lease) => this.endOf(lease) <= asked);
    const names = new Set(over.map(nameOf));
    for (const name of this.told) if (!names.has(name)) this.told.delete(name);
    for (const lease of over) await this.settle(lease, asked);
  }

  /** When this lease counted as over, monotonic ms; infinite as long as that has not come, or nobody can tell. */
  private endOf(lease: NodeLease): number {
    const { since, served } = this.watching ?? {};
    const standing = this.ages.standingSince(lease);
    if (since === undefined || served === undefined || standing === undefined) return Number.POSITIVE_INFINITY;
    const end = Math.max(standing + lease.leaseMs, since + lease.leaseMs, served.since + lease.leaseMs + AGENT_PAUSE_MS);
    return end <= served.until ? end : Number.POSITIVE_INFINITY;
  }

  private async settle(lease: NodeLease, now: number): Promise<void> {
    const { clusterId, node, incarnation } = lease;
    const verdict = await this.actions.judge(lease, this.endOf(lease), now);
    if (verdict.type === 'lost') {
      if (await this.actions.declareLost(lease)) this.log.info({ clusterId, node, incarnation }, 'a lease ran out');
    } else if (verdict.type === 'expired' && !this.told.has(nameOf(lease))) {
      await this.actions.votesChanged(clusterId);
      this.told.add(nameOf(lease));
    }
  }
}

function nameOf({ clusterId, node, incarnation, renewal }: NodeLease): string {
  return `${clusterId}/${node}/${incarnation}/${renewal}`;
}
