import type { Clock } from '@systole/control-plane';
import type { Random } from './random.js';
import type { VirtualTime } from './virtual-time.js';

/** Epoch ms at which every run begins. */
const BEGIN = Date.UTC(2026, 0, 1);

/** A machine's clocks: its time of day may step; its monotonic one tells nothing to other machines. */
export class MachineClock {
  private offset = 0;

  /** @param since ms for which the machine was up when the run began */
  constructor(
    private readonly time: VirtualTime,
    private readonly since = 0,
  ) {}

  step(ms: number): void {
    this.offset += ms;
  }

  timeOfDay(): number {
    return BEGIN + this.time.now + this.offset;
  }

  monotonic(): number {
    return this.since + this.time.now;
  }
}

/** What share of the questions finds no connection. */
const REFUSED = 0.7;

/** How long the way to the database and to the queue takes. */
export interface Latency {
  /** Probability of up to 1.5 s. */
  slow: number;
}

/** One life of a process: it can be killed, and frozen for a while. What it sent before goes its way all the same. */
export class Process {
  private alive = true;
  private frozenUntil = 0;
  private refusedUntil = 0;
  /** What goes on when it is not frozen any more. */
  private waiting: (() => void)[] = [];
  readonly clock: Clock;
  /** What it hears of having no connection. */
  onRefused: () => void = () => undefined;

  constructor(
    private readonly time: VirtualTime,
    private readonly random: Random,
    machine: MachineClock,
    private readonly latency: Latency = { slow: 0.02 },
  ) {
    this.clock = {
      timeOfDay: () => machine.timeOfDay(),
      monotonic: () => machine.monotonic(),
      after: (ms, run) =>
        time.after(ms, () => {
          this.run(run);
        }),
    };
  }

  get isAlive(): boolean {
    return this.alive;
  }

  kill(): void {
    this.alive = false;
  }

  freeze(ms: number): void {
    this.frozenUntil = Math.max(this.frozenUntil, this.time.now + ms);
  }

  /** Most of what it asks of others fails at once: it has hardly a connection left. */
  refuse(ms: number): void {
    this.refusedUntil = Math.max(this.refusedUntil, this.time.now + ms);
  }

  thaw(): void {
    this.frozenUntil = Math.min(this.frozenUntil, this.time.now);
    this.wake();
  }

  /** Goes on here, as soon as the process does; never, if it is dead. */
  run(work: () => void): void {
    if (!this.alive) return;
    if (this.time.now >= this.frozenUntil) {
      work();
      return;
    }
    this.waiting.push(work);
    if (this.waiting.length === 1) this.wake();
  }

  private wake(): void {
    const left = this.frozenUntil - this.time.now;
    if (left > 0) {
      this.time.after(left, () => {
        this.wake();
      });
      return;
    }
    // It is found in no particular order.
    for (const work of this.waiting.splice(0)) {
      this.time.after(this.random.between(0, 3), () => {
        this.run(work);
      });
    }
  }

  /** Asks something outside of the process, which takes a while each way. */
  async call<T>(work: () => Promise<T>): Promise<T> {
    if (this.time.now < this.refusedUntil && this.random.chance(REFUSED)) {
      this.onRefused();
      throw new Error('no connection is free');
    }
    await this.travel();
    // What was sent goes its way, whatever becomes of the sender; what comes back needs somebody to take it.
    try {
      return await work();
    } finally {
      await this.arrive();
    }
  }

  /** Something outside asks this process and waits for its answer; when it has died the answer never comes. */
  async answer<T>(work: () => Promise<T>): Promise<T> {
    await this.arrive();
    const result = await work();
    await this.travel();
    return result;
  }

  /** The same object, asked from this process. */
  through<T extends object>(port: T, synchronous: readonly (keyof T)[] = []): T {
    return new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        const method = (value as (...parameters: unknown[]) => Promise<unknown>).bind(target);
        if (synchronous.includes(key as keyof T)) return method;
        return (...parameters: unknown[]) => this.call(() => method(...parameters));
      },
    });
  }

  /** On the way to this process, and until it takes what came. */
  private async arrive(): Promise<void> {
    await this.travel();
    await new Promise<void>((resolve) => {
      this.run(resolve);
    });
  }

  private travel(): Promise<void> {
    const slow = this.random.chance(this.latency.slow);
    if (!slow && this.random.chance(0.7)) return Promise.resolve();
    const ms = slow ? this.random.between(50, 1_500) : this.random.between(1, 5);
    return new Promise((resolve) => {
      this.time.after(ms, resolve);
    });
  }
}
