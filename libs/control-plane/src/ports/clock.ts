/** The clocks and timers of the machine that a process runs on. */
export interface Clock {
  /** Epoch ms by the time of day, which may step: for people, and for what has to be told to others. */
  timeOfDay(): number;
  /** Ms by a clock that never steps; only differences mean something, and only within one process. */
  monotonic(): number;
  /** Calls `run` once, so many ms later. @returns what calls it off */
  after(ms: number, run: () => void): () => void;
}

/** What must differ from one process and call to another. */
export interface Chance {
  /** A name that nobody else has. */
  uuid(): string;
  /** From 0 up to, not including, 1. */
  fraction(): number;
}

/** The one clock that dates rows and events, whichever machine a process runs on. It may step. */
export interface DatabaseClock {
  /** Epoch ms. */
  now(): Promise<number>;
}
