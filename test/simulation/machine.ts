import { EMPTY_STATE, evolve, snapshot, type Found, type JournalRecord, type JournalState } from '@systole/node-session';
import { Process, type MachineClock } from './process.js';
import type { Random } from './random.js';
import type { VirtualTime } from './virtual-time.js';

/** What a reboot empties: the lease that an agent noted, and its second record of what runs. */
export interface RunDirectory {
  lease?: { readonly beganAt: number; readonly leaseMs: number };
  rescued?: NonNullable<Found['rescued']>;
}

interface Write {
  readonly records: readonly JournalRecord[];
  readonly done: (problem: string | undefined) => void;
}

/** An agent tries again each second, and writing may take two; it may be frozen meanwhile, ms. */
const JOURNAL_RETRY_MS = 15_000;
/** A watchdog resets its machine when it was not fed for so long, ms. */
export const WATCHDOG_MS = 10_000;

/** A machine: its power, its disk, and what runs on it whatever anybody believes. */
export class Machine {
  up = true;
  diskIsFull = false;
  /** When its disk last refused something, by virtual time. */
  private refusedAt = Number.NEGATIVE_INFINITY;
  /** When it was last known not to do its part, by virtual time. */
  disturbedUntil = 0;
  /** Something could not be stopped since it was switched on: whoever fences it does well. */
  isDefective = false;
  /** What is on its disk. */
  journal: JournalState = EMPTY_STATE;
  runDirectory: RunDirectory = {};
  /** Resources that are, or may be, active. */
  readonly active = new Set<string>();
  /** Programs run in it: it freezes and dies with the machine, not with the agent. */
  hardware: Process;
  /** Ends what runs on the machine; set by those who run there. */
  onPowerOff: () => void = () => undefined;
  onPowerOn: () => void = () => undefined;
  private readonly writes = new Set<Write>();
  private isScrapped = false;
  private boots = 1;
  /** Of `clock`, when it was switched on last. */
  private bootedAt = 0;
  private fedAt: number | undefined;

  /** @param node that it acts for: more than one machine may, where a disk was cloned */
  constructor(
    readonly name: string,
    readonly node: string,
    readonly clock: MachineClock,
    private readonly time: VirtualTime,
    private readonly random: Random,
  ) {
    this.hardware = new Process(time, random, clock);
  }

  get bootId(): string {
    return `${this.name}-boot-${String(this.boots)}`;
  }

  /** Ms. */
  get uptime(): number {
    return this.clock.monotonic() - this.bootedAt;
  }

  /** Another machine, switched off, with what is on this one's disk. */
  clone(name: string): Machine {
    const copy = new Machine(name, this.node, this.clock, this.time, this.random);
    copy.up = false;
    copy.journal = this.journal;
    return copy;
  }

  /** Its agent has reason to think that nothing can be written. */
  get isWithoutJournal(): boolean {
    return this.time.now - this.refusedAt < JOURNAL_RETRY_MS;
  }

  /** It can't do its part, or for so long; that excuses who fences it. */
  disturbed(ms = 0): void {
    this.disturbedUntil = Math.max(this.disturbedUntil, this.time.now + ms);
  }

  powerOff(): void {
    if (!this.up) return;
    this.up = false;
    this.disturbed();
    this.hardware.kill();
    this.onPowerOff();
    this.settleWrites();
    this.active.clear();
    this.runDirectory = {};
    this.fedAt = undefined;
  }

  /** It is taken away, and never switched on again. */
  scrap(): void {
    this.powerOff();
    this.isScrapped = true;
  }

  powerOn(): void {
    if (this.up || this.isScrapped) return;
    this.up = true;
    this.isDefective = false;
    this.boots += 1;
    this.bootedAt = this.clock.monotonic();
    this.hardware = new Process(this.time, this.random, this.clock);
    this.disturbed();
    this.onPowerOn();
  }

  /** Power cycle; it is back after a while. */
  reboot(bootMs: number): void {
    this.powerOff();
    this.disturbed(bootMs);
    this.time.after(bootMs, () => {
      this.powerOn();
    });
  }

  /** From the first time on it has to be fed, or it resets the machine. */
  feedWatchdog(): void {
    if (this.fedAt === undefined) this.watch();
    this.fedAt = this.time.now;
  }

  disarmWatchdog(): void {
    this.fedAt = undefined;
  }

  private watch(): void {
    this.hardware.clock.after(WATCHDOG_MS / 10, () => {
      if (this.fedAt === undefined) return;
      if (this.time.now - this.fedAt > WATCHDOG_MS) this.reboot(this.random.between(2_000, 8_000));
      else this.watch();
    });
  }

  /** Appends to the journal and syncs; `done` gets what kept it from that. */
  write(records: readonly JournalRecord[], done: Write['done']): void {
    const write = { records, done };
    this.writes.add(write);
    this.time.after(this.random.chance(0.02) ? this.random.between(100, 2_000) : this.random.between(0, 4), () => {
      if (!this.writes.delete(write)) return;
      if (this.diskIsFull) {
        this.refusedAt = this.time.now;
        done('no space left on the device');
        return;
      }
      this.store(records);
      done(undefined);
    });
  }

  /** Whoever wrote is gone; what was under way is on the disk, or is not. */
  settleWrites(): void {
    for (const { records } of this.writes) if (!this.diskIsFull && this.random.chance(0.5)) this.store(records);
    this.writes.clear();
  }

  private store(records: readonly JournalRecord[]): void {
    this.journal = records.reduce(evolve, this.journal);
    // As compaction does now and then.
    if (this.random.chance(0.02)) this.journal = snapshot(this.journal).reduce(evolve, EMPTY_STATE);
  }
}
