/** Once may be a pause; what goes on for so long after it was first found is too much to do, ms. */
const LASTING_MS = 1_500;
/** A wait that is not over tells of a queue that is full where somebody was let in within this time before it began, ms: else a firewall may forbid what is tried. */
const TELLING_FOR_MS = 60_000;

/** What has been seen of a knock that is under way. */
export interface KnockUnderWay {
  /** When it began, monotonic ms. */
  readonly since: number;
  /** The operating system has made the connection, and the server is to take it. */
  readonly isMade: boolean;
}

/**
 * Whether agents are kept waiting, told from knocks at the own door and from turns of the own thread. Keeps no clock: times are monotonic ms.
 *
 * A closed door stays closed until a knock was let in in time: while the queue is full a knock is dropped as everybody else's attempt is, so that none which is merely not made says that others are.
 */
export class DoorJudgement {
  /** How long the last one waited who was let in, or the one waits who knocks now; ms. */
  waitedMs = 0;
  private letInAt = Number.NEGATIVE_INFINITY;
  private isOpen = true;
  /** When the first finding was made of the time that it has been closed, and when it was opened the last time after that. */
  private foundAt = Number.NEGATIVE_INFINITY;
  private openedAt = Number.NEGATIVE_INFINITY;
  private lastedAt = Number.NEGATIVE_INFINITY;

  /** @param lateMs agents wait for no longer, ms */
  constructor(private readonly lateMs: () => number) {}

  /** Agents are kept waiting, as far as is known. */
  get isClosed(): boolean {
    return !this.isOpen;
  }

  /** When it was found the last time that it is closed, and has been for longer than a pause takes. */
  get lastingAt(): number {
    return this.lastedAt;
  }

  /** Whether one who knocked was ever seen to be let in: nothing can be told from others before. */
  get isTelling(): boolean {
    return this.letInAt !== Number.NEGATIVE_INFINITY;
  }

  /**
   * A look at what is under way.
   *
   * @param turnSince since when the thread came to nothing else
   * @param turnMs by how much that was longer than it should have been
   */
  look(now: number, turnSince: number, turnMs: number, knock: KnockUnderWay | undefined): void {
    if (turnMs > this.lateMs()) this.find(turnSince, now);
    if (knock !== undefined && this.tells(knock)) {
      const waitedMs = now - knock.since;
      // What a knock waited that was given up was no less for it.
      this.waitedMs = this.isOpen ? waitedMs : Math.max(this.waitedMs, waitedMs);
      if (waitedMs > this.lateMs()) this.find(knock.since, now);
    }
    this.noteLasting(now);
  }

  /** The server took the connection of a knock that began at `since`. */
  letIn(since: number, now: number): void {
    this.letInAt = now;
    this.waitedMs = now - since;
    if (this.waitedMs > this.lateMs()) this.find(since, now);
    else if (!this.isOpen) {
      this.isOpen = true;
      this.openedAt = now;
    }
    this.noteLasting(now);
  }

  private tells({ since, isMade }: KnockUnderWay): boolean {
    if (!this.isTelling) return false;
    return isMade || !this.isOpen || since - this.letInAt <= TELLING_FOR_MS;
  }

  /** Agents were kept waiting from `since` to `now`. A door that was opened within that was not: a knock that begins as a long turn ends is let in before the next one. */
  private find(since: number, now: number): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    if (since > this.openedAt) this.foundAt = now;
  }

  private noteLasting(now: number): void {
    if (!this.isOpen && now - this.foundAt >= LASTING_MS) this.lastedAt = now;
  }
}
