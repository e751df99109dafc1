import type { LeaseVerdict } from '@systole/cluster';
import type { Clock, DatabaseClock } from '../ports/clock.js';
import type { Heartbeats } from '../ports/heartbeats.js';
import type { LeaseReading, NodeLease, NodeLeases, RollCall } from '../ports/node-leases.js';
import type { Report } from '../ports/report.js';
import { repeat, type Repeating } from '../time/repeating.js';
import { ClockSteps } from './clock-steps.js';
import { LeaseAges } from './lease-ages.js';
import type { Look } from './look.js';
import { AGENT_PAUSE_MS, ServedTime } from './served-time.js';
import { ServiceSpan, type ServedSpan } from './service-span.js';
import { Settlements } from './settlements.js';

/** What the watch needs of the rest of the worker. */
export interface LeaseWatchActions {
  /** Judges a lease that ended at `endsAt`; both ms by the watch's monotonic clock. */
  judge(lease: NodeLease, endsAt: number, now: number): Promise<LeaseVerdict>;
  /** Appends NodeLeaseLost and ends the lease, in one transaction. @returns false when it was renewed meanwhile, or another worker was faster */
  declareLost(lease: NodeLease): Promise<boolean>;
  /** Votes of the cluster may have changed. */
  votesChanged(clusterId: string): void;
  /** A lease of this cluster is gone since the last look: lost, ended, or its row was taken away by somebody else, which no event tells. */
  vanished(clusterId: string): void;
}

/** A pause of the watch, beyond the time between two looks, after which it begins anew. */
const LONGEST_GAP_MS = 3_000;

/** In which each agent that runs has found an api, and joined where it has to, ms. */
const JOINING_MS = AGENT_PAUSE_MS + 1_000;

/** All leases are read so often at least, ms: a look in between reads those that were written since the one before. */
const ALL_EVERY_MS = 30_000;

/** Clusters whose leases are settled at the same time. */
const CLUSTERS_AT_A_TIME = 4;

/** What the watch reads. */
export interface LeaseWatchSources {
  readonly leases: Pick<NodeLeases, 'since' | 'callRoll'>;
  readonly heartbeats: Pick<Heartbeats, 'all'>;
  readonly databaseClock: DatabaseClock;
  readonly clock: Clock;
}

/**
 * Looks for leases whose renewals stand still for their length, by the monotonic clock of this process: the database's clock may step as it likes.
 * Several workers may look at the same time: each loss is appended once.
 *
 * A look costs what was written since the look before, and what has been standing for long. All leases are read when this watch begins, also anew; when some are gone; when one turns out to be over, before that is settled; and every now and then: so nothing is said of a lease, and none is gone
 * unseen, because a database told less than was written.
 *
 * Leases that are over are settled beside the looks, each cluster's one after another: one that can't be read, or takes long, holds up no other, nor makes
 * it that the watch itself was away.
 *
 * After a pause of the server itself (a start, a database that was away, or another one in its place, a machine that slept, a time without any api) each agent gets the length of
 * its lease to be heard again, and after a time without any api the pause between its attempts besides: that it could not renew was not its fault, and to
 * wait longer is always safe. So a lease is judged only when this watch and some api were there during all of its length, up to its very end. The
 * monotonic clock stands while a machine sleeps, and then the database's is seen to step forwards: that counts as such a time.
 */
export class LeaseWatch {
  /** In which agents could report. */
  readonly servedTime = new ServedTime();
  private running: Repeating | undefined;
  private watching: { readonly since: number; readonly lastLook: number; readonly served: ServedSpan | undefined } | undefined;
  /** Whether there was time to join since the watch began. */
  private couldJoin = false;
  private readonly ages = new LeaseAges();
  /** Of the newest reading; undefined: all have to be read. */
  private mark: string | undefined;
  /** The database of that. */
  private source: string | undefined;
  /** The newest that was seen; undefined: none in this watch. */
  private rollCall: RollCall | undefined;
  /** When all were read, monotonic ms. */
  private allReadAt = Number.NEGATIVE_INFINITY;
  /** Those that were over at the look before. */
  private over: ReadonlySet<string> = new Set();
  private readonly service: ServiceSpan;
  private readonly steps = new ClockSteps();
  /** Leases that are over but not lost yet, of which the cluster knows. */
  private readonly told = new Set<string>();
  /** Leases that are over and can't be settled, of which that was reported. */
  private readonly stuck = new Set<string>();
  private readonly settlements = new Settlements(CLUSTERS_AT_A_TIME);

  constructor(
    private readonly sources: LeaseWatchSources,
    private readonly actions: LeaseWatchActions,
    private readonly everyMs: number,
    private readonly report: Report,
  ) {
    this.service = new ServiceSpan(everyMs);
  }

  start(): void {
    this.running ??= repeat(
      this.sources.clock,
      this.everyMs,
      () => this.look(),
      (error) => {
        this.watching = undefined;
        this.mark = undefined;
        this.ages.beginAnew();
        this.service.forget();
        this.servedTime.see(undefined);
        this.report.warn({ err: error }, 'leases could not be looked over; trying again');
      },
    );
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    await this.settlements.end();
  }

  /** Whether this lease is over. Never before its node had the chance to be heard, nor as long as nobody can tell. */
  isOver(lease: NodeLease): boolean {
    return this.endOf(lease) <= this.sources.clock.monotonic();
  }

  /**
   * Whether this lease is held for all that anybody can tell. One that is neither held nor over got time that its node may not need: this watch, or the
   * service, was not there for long enough. Another watch may know better.
   */
  isHeld(lease: NodeLease): boolean {
    const now = this.sources.clock.monotonic();
    return this.isUnbroken(now) && this.ages.wasRenewedWithin(lease, lease.leaseMs, now);
  }

  /**
   * Whether its node was heard of since this watch began, or began anew after a break: it has answered the roll that the watch called then. Until then its node may be at something that the database lacks:
   * what a copy holds that was restored is of before, and what was handed out after it counts as never handed out. (A poll shows what its agent knows, and what it was told of the log, before it
   * renews the lease.) A renewal alone says nothing: a poll of before may have been late.
   */
  isHeard(lease: NodeLease): boolean {
    return this.isUnbroken(this.sources.clock.monotonic()) && this.ages.wasHeard(lease);
  }

  /** Whether an agent that holds no lease, as far as the database knows, could have joined since this watch began, or began anew after a break: who has not holds none. */
  get couldAllJoin(): boolean {
    return this.couldJoin && this.isUnbroken(this.sources.clock.monotonic());
  }

  /**
   * In how many ms a lease will be over that should have been renewed by now, as far as can be told: more than half of it has passed since it was. Undefined
   * for the others. (Agents poll at least three times in the length of a lease.)
   */
  overdueMs(lease: NodeLease): number | undefined {
    const now = this.sources.clock.monotonic();
    const standing = this.ages.standingSince(lease);
    const end = this.dueEndOf(lease);
    if (standing === undefined || end === undefined || now - standing < lease.leaseMs / 2) return undefined;
    return Math.max(this.everyMs, end - now);
  }

  /** The nodes of other leases of its cluster that should have been renewed by now. */
  overdueBeside({ clusterId, node }: NodeLease): readonly string[] {
    const now = this.sources.clock.monotonic();
    return this.ages
      .standingFor(now, 1 / 2)
      .filter((other) => other.clusterId === clusterId && other.node !== node && this.overdueMs(other) !== undefined)
      .map((other) => other.node)
      .toSorted();
  }

  /** For how long agents have been able to reach some api or other without a break, ms; undefined while they can't, or nobody can tell. */
  get servedForMs(): number | undefined {
    const served = this.watching?.served;
    const now = this.sources.clock.monotonic();
    return served === undefined || !this.isUnbroken(now) ? undefined : now - served.since;
  }

  /** One look over all leases. Does not wait until those that are over are settled. */
  async look(): Promise<void> {
    const { leases, heartbeats, databaseClock, clock } = this.sources;
    const asked = clock.monotonic();
    const time = await databaseClock.now();
    const wentOn = this.isUnbroken(asked);
    const readsAll = !wentOn || asked - this.allReadAt >= ALL_EVERY_MS;
    if (!wentOn) await this.callRoll();
    const first = await leases.since(readsAll ? undefined : this.mark);
    // Another database may have taken the place of the one before between two looks, and would not be missed; nor would one that went back.
    const isSame = (this.source ?? first.source) === first.source && (readsAll || !first.isComplete) && this.goesOn(first.rollCall);
    const reading = isSame || first.isComplete ? first : await leases.since(undefined);
    this.source = reading.source;
    const unbroken = wentOn && isSame;
    if (!isSame) await this.callRoll();
    if (!unbroken) {
      this.ages.beginAnew();
      this.couldJoin = false;
    }
    // Another worker that has begun since may have called the roll: whoever answers that was heard of by this one, too.
    if (isSame) this.rollCall = reading.rollCall;
    if (this.rollCall !== undefined) this.ages.called(this.rollCall.id);
    const apis = await heartbeats.all();
    const look: Look = { asked, answered: clock.monotonic() };
    if (!unbroken) this.service.forget();
    const stepMs = this.steps.see(time, look);
    if (stepMs !== 0) this.report.warn({ stepMs }, 'the clock of the database stepped; leases are judged without it');
    if (stepMs > 0) this.service.beginAnew(look.answered);
    if (!this.see(reading, look)) await this.seeAll(asked);
    const served = this.service.see(apis, look);
    const since = unbroken && stepMs <= 0 ? (this.watching?.since ?? look.answered) : look.answered;
    this.watching = { since, lastLook: asked, served };
    if (served !== undefined && served.until - served.since >= JOINING_MS) this.couldJoin = true;
    this.servedTime.see(served && { ...served, since: Math.max(served.since, since) });
    let over = this.overAt(asked);
    if (!reading.isComplete && over.some((lease) => !this.over.has(nameOf(lease)))) {
      await this.seeAll(asked);
      over = this.overAt(asked);
    }
    const names = new Set(over.map(nameOf));
    this.over = names;
    for (const noted of [this.told, this.stuck]) for (const name of noted) if (!names.has(name)) noted.delete(name);
    for (const [clusterId, leases] of byCluster(over)) {
      this.settlements.begin(
        clusterId,
        leases.map((lease) => () => this.settle(lease, asked)),
      );
    }
  }

  private async callRoll(): Promise<void> {
    this.rollCall = undefined;
    this.rollCall = await this.sources.leases.callRoll();
  }

  /** Whether the newest roll call is the one that was seen before, or a later one. */
  private goesOn({ id, number }: RollCall): boolean {
    const { rollCall } = this;
    return rollCall === undefined || number > rollCall.number || (number === rollCall.number && id === rollCall.id);
  }

  /** Whether the watch has gone on until now. */
  private isUnbroken(now: number): boolean {
    return this.watching !== undefined && now - this.watching.lastLook < this.everyMs + LONGEST_GAP_MS;
  }

  /** @returns whether as many leases are known as there are */
  private see(reading: LeaseReading, look: Look): boolean {
    for (const clusterId of this.ages.see(reading, look)) this.actions.vanished(clusterId);
    this.mark = reading.mark;
    if (reading.isComplete) this.allReadAt = look.asked;
    return reading.isComplete || this.ages.count === reading.count;
  }

  private async seeAll(asked: number): Promise<void> {
    const reading = await this.sources.leases.since(undefined);
    this.see(reading, { asked, answered: this.sources.clock.monotonic() });
  }

  private overAt(moment: number): readonly NodeLease[] {
    return this.ages.standingFor(moment, 1).filter((lease) => this.endOf(lease) <= moment);
  }

  /** When this lease counted as over, monotonic ms; infinite as long as that has not come, or nobody can tell. */
  private endOf(lease: NodeLease): number {
    const end = this.dueEndOf(lease);
    const until = this.watching?.served?.until;
    return end !== undefined && until !== undefined && end <= until ? end : Number.POSITIVE_INFINITY;
  }

  /** When this lease will be over unless it is renewed, monotonic ms; undefined as long as nobody can tell. */
  private dueEndOf(lease: NodeLease): number | undefined {
    const { since, served } = this.watching ?? {};
    const standing = this.ages.standingSince(lease);
    if (since === undefined || served === undefined || standing === undefined) return undefined;
    return Math.max(standing + lease.leaseMs, since + lease.leaseMs, served.since + lease.leaseMs + AGENT_PAUSE_MS);
  }

  private async settle(lease: NodeLease, now: number): Promise<void> {
    // It had to wait for others: meanwhile the watch may have begun anew.
    if (this.endOf(lease) > now) return;
    const { clusterId, node, incarnation } = lease;
    const name = nameOf(lease);
    try {
      const verdict = await this.actions.judge(lease, this.endOf(lease), now);
      if (verdict.type === 'lost') {
        if (await this.actions.declareLost(lease)) this.report.info({ clusterId, node, incarnation }, 'a lease ran out');
      } else if (verdict.type === 'expired' && !this.told.has(name)) {
        this.actions.votesChanged(clusterId);
        this.told.add(name);
      }
      this.stuck.delete(name);
    } catch (error) {
      if (!this.stuck.has(name))
        this.report.warn({ err: error, clusterId, node, incarnation }, 'a lease that is over could not be judged; trying again');
      this.stuck.add(name);
    }
  }
}

function nameOf({ clusterId, node, incarnation, renewal }: NodeLease): string {
  return `${clusterId}/${node}/${incarnation}/${renewal}`;
}

function byCluster(leases: readonly NodeLease[]): ReadonlyMap<string, readonly NodeLease[]> {
  const clusters = new Map<string, NodeLease[]>();
  for (const lease of leases) {
    const others = clusters.get(lease.clusterId);
    if (others === undefined) clusters.set(lease.clusterId, [lease]);
    else others.push(lease);
  }
  return clusters;
}
