import type { AdvanceOutcome } from '../turns/cluster-advance.js';
import { ClaimLost, ClusterBusy, type ClusterLock, type ClusterLocks } from '../turns/cluster-locks.js';
import type { Clock } from '../ports/clock.js';
import { TIMER_SLACK_MS, type Rest } from '../requests/cluster-sweep.js';
import { Wakeable } from '../time/wakeable.js';
import { Slots } from './slots.js';

/** How long a worker stays with a cluster at which nothing moves any more, ms: what happens next often happens soon. */
const LINGER_MS = 1_000;
/** A transition is looked at so often though nothing is heard of it, ms. */
const LONGEST_WAIT_MS = 30_000;
/** How often it is tried to take over a cluster that another worker has, and of which something is wanted, ms. */
const RELOOK_MS = 2_000;

/** What {@link Attendances} works with. */
export interface AttendancesParts {
  readonly locks: Pick<ClusterLocks, 'acquire'>;
  /** Moves a cluster as far as it goes. */
  readonly advance: (clusterId: string, assertHeld: () => void) => Promise<AdvanceOutcome>;
  /** In how many ms a cluster that failed may be tried again; 0: at once. */
  readonly pauseOf: (clusterId: string) => number;
  /** Told of each rest. Must not throw. */
  readonly atRest: (clusterId: string, rest: Rest) => void;
  /** A cluster could not be moved; it is not tried again before somebody wants it. Must not throw. */
  readonly stuck: (clusterId: string, error: unknown, tookMs: number) => Promise<void>;
  /** A cluster of which something was heard is moved now. Must not throw. @param waitedMs since it was first heard of */
  readonly turned: (waitedMs: number) => void;
  readonly clock: Clock;
}

interface Attendance {
  /** How often something was heard of. */
  wants: number;
  /** How much of that the last move knew. */
  seen: number;
  /** When the first was heard of that the last move did not know, monotonic ms. */
  wantedAt: number;
  readonly wakeable: Wakeable;
  /** Told when the cluster was moved, or could not be. */
  readonly moved: (() => void)[];
  readonly ended: Promise<void>;
}

/**
 * The clusters that this worker is at. It stays with one, and keeps its claim, for as long as a transition runs there and a little longer: whatever is heard of meanwhile leads to the next move
 * at once. Many are attended at the same time; only some are moved.
 */
export class Attendances {
  private readonly attended = new Map<string, Attendance>();
  private readonly relooks = new Map<string, () => void>();
  private readonly slots: Slots;
  private readonly closing = new AbortController();
  private held = 0;

  /** @param concurrency clusters moved at the same time */
  constructor(
    private readonly parts: AttendancesParts,
    concurrency: number,
  ) {
    this.slots = new Slots(concurrency);
  }

  /** How many clusters this worker has the claim of. */
  get size(): number {
    return this.held;
  }

  /** The cluster is moved soon, as something may have happened to it. */
  want(clusterId: string): void {
    if (this.closing.signal.aborted) return;
    const known = this.attended.get(clusterId);
    if (known !== undefined) {
      if (!isWanted(known)) known.wantedAt = this.parts.clock.monotonic();
      known.wants += 1;
      known.wakeable.wake();
      return;
    }
    // Another worker has it, and is told the same: it is soon looked whether it still does.
    if (this.parts.pauseOf(clusterId) > 0 || this.relooks.has(clusterId)) return;
    const wakeable = new Wakeable(this.parts.clock);
    // It begins in a later turn of the event loop: then the entry is there.
    const ended = Promise.resolve().then(() => this.attend(clusterId));
    this.attended.set(clusterId, { wants: 1, seen: 0, wantedAt: this.parts.clock.monotonic(), wakeable, moved: [], ended });
  }

  /** The same; resolves when it was moved as far as it goes, or when that can't be done here and now. */
  async move(clusterId: string): Promise<void> {
    this.want(clusterId);
    const attendance = this.attended.get(clusterId);
    if (attendance !== undefined) await new Promise<void>((resolve) => attendance.moved.push(resolve));
  }

  /** Interrupts what is moved and waits for its end. */
  async stop(): Promise<void> {
    this.closing.abort(new Error('the worker is closing'));
    for (const cancel of this.relooks.values()) cancel();
    for (const { wakeable } of this.attended.values()) wakeable.wake();
    await Promise.all([...this.attended.values()].map(({ ended }) => ended));
  }

  private async attend(clusterId: string): Promise<void> {
    const attendance = this.attended.get(clusterId);
    if (attendance === undefined) return;
    const { clock, locks } = this.parts;
    let lock: ClusterLock | undefined;
    let begun = clock.monotonic();
    try {
      lock = await locks.acquire(clusterId, 0);
      this.held += 1;
      for (let there = true; there && !this.closing.signal.aborted;) {
        there = await this.moveOnce(clusterId, attendance, lock, () => (begun = clock.monotonic()));
      }
    } catch (error) {
      attendance.seen = attendance.wants;
      if (error instanceof ClusterBusy || error instanceof ClaimLost) this.lookAgain(clusterId);
      else if (!this.closing.signal.aborted) await this.parts.stuck(clusterId, error, clock.monotonic() - begun);
    } finally {
      if (lock !== undefined) this.held -= 1;
      await lock?.release();
      this.attended.delete(clusterId);
      for (const moved of attendance.moved) moved();
    }
    // What was heard of while it was let go of.
    if (isWanted(attendance)) this.want(clusterId);
  }

  /** @returns whether to stay */
  private async moveOnce(clusterId: string, attendance: Attendance, lock: ClusterLock, begin: () => void): Promise<boolean> {
    const { advance, atRest, turned, clock } = this.parts;
    const waiting = attendance.moved.length;
    const outcome = await this.slots.within(() => {
      begin();
      if (isWanted(attendance)) turned(clock.monotonic() - attendance.wantedAt);
      attendance.seen = attendance.wants;
      return advance(clusterId, () => {
        this.closing.signal.throwIfAborted();
        lock.assertHeld();
      });
    });
    if (outcome.type === 'unfinished') return true;
    for (const moved of attendance.moved.splice(0, waiting)) moved();
    if (outcome.type === 'gone') return false;
    if (outcome.type === 'unheard') {
      // The claim goes to whoever wants it now; the sweep asks again.
      atRest(clusterId, { version: outcome.version, wakeInMs: outcome.wakeInMs });
      return false;
    }
    const { version, wakeInMs, moving } = outcome;
    atRest(clusterId, { version, ...(wakeInMs === undefined ? {} : { wakeInMs }) });
    if (isWanted(attendance)) return true;
    const dueInMs = wakeInMs === undefined ? Number.POSITIVE_INFINITY : wakeInMs + TIMER_SLACK_MS;
    const stayMs = moving ? LONGEST_WAIT_MS : LINGER_MS;
    await attendance.wakeable.wait(Math.min(dueInMs, stayMs), lock.signal);
    return isWanted(attendance) || moving || dueInMs <= stayMs;
  }

  private lookAgain(clusterId: string): void {
    if (this.closing.signal.aborted || this.relooks.has(clusterId)) return;
    const cancel = this.parts.clock.after(RELOOK_MS, () => {
      this.relooks.delete(clusterId);
      this.want(clusterId);
    });
    this.relooks.set(clusterId, cancel);
  }
}

/** Something may have happened since the last move began. */
function isWanted({ wants, seen }: Attendance): boolean {
  return wants > seen;
}
