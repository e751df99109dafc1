import type { LeaseVerdict } from '@systole/cluster';
import type { ApiHeartbeats, NodeLease, NodeLeases, ServedSpan } from '@systole/read-models';
import type { Logger } from 'pino';
import type { DatabaseClock } from '../tables/database-clock.js';
import { repeat, type Repeating } from './repeating.js';

/** What the watch needs of the rest of the worker. */
export interface LeaseWatchActions {
  /** Judges a lease that ends, or ended, at `endsAt` (epoch ms). */
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

/**
 * Looks for leases that ran out, by the database's clock. Several workers may look at the same time: each loss is appended once.
 *
 * After a pause of the server itself (a start, a database that was away, a machine that slept, a time without any api) each agent gets the length of
 * its lease to be heard again, and after a time without any api the pause between its attempts besides: that it could not renew was not its fault, and to
 * wait longer is always safe. So a lease is judged only when this watch and some api were there during all of its length, up to its very end.
 */
export class LeaseWatch {
  private running: Repeating | undefined;
  private watching: { readonly since: number; readonly lastLook: number; readonly served: ServedSpan | undefined } | undefined;
  /** Leases that are over but not lost yet, of which the cluster knows. */
  private readonly told = new Set<string>();

  constructor(
    private readonly leases: NodeLeases,
    private readonly heartbeats: ApiHeartbeats,
    private readonly clock: DatabaseClock,
    private readonly actions: LeaseWatchActions,
    private readonly everyMs: number,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.running ??= repeat(
      this.everyMs,
      () => this.look(),
      (error) => {
        this.watching = undefined;
        this.log.warn({ err: error }, 'leases could not be looked over; trying again');
      },
    );
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  /**
   * When this lease counted as over, epoch ms: its end, and never before its node had the chance to be heard. Infinite as long as that has not
   * come, or nobody can tell.
   */
  endOf({ leaseMs, expiresAt }: NodeLease): number {
    const { since, served } = this.watching ?? {};
    if (since === undefined || served === undefined) return Number.POSITIVE_INFINITY;
    const end = Math.max(Date.parse(expiresAt), since + leaseMs, served.since + leaseMs + AGENT_PAUSE_MS);
    return end <= served.until ? end : Number.POSITIVE_INFINITY;
  }

  private async look(): Promise<void> {
    const leases = await this.leases.expired();
    const now = await this.clock.now();
    const served = await this.heartbeats.servedSpan(now);
    const unbroken = this.watching !== undefined && now - this.watching.lastLook < this.everyMs + LONGEST_GAP_MS;
    this.watching = { since: unbroken ? (this.watching?.since ?? now) : now, lastLook: now, served };
    const over = leases.filter((lease) => this.endOf(lease) <= now);
    const names = new Set(over.map(nameOf));
    for (const name of this.told) if (!names.has(name)) this.told.delete(name);
    for (const lease of over) await this.settle(lease, now);
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

function nameOf({ clusterId, node, incarnation, expiresAt }: NodeLease): string {
  return `${clusterId}/${node}/${incarnation}/${expiresAt}`;
}
