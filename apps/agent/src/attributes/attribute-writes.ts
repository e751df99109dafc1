import { LIMITS, type AttributeChange } from '@systole/protocol';

interface Waiting {
  readonly changes: readonly AttributeChange[];
  readonly patienceMs: number;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Sends changes of attributes to the server, in the order in which they were asked for. One request is under way at a time, and takes along all that was asked for while the one before it was: so
 * a hundred callers cost a few requests, and each is told when its own are written.
 */
export class AttributeWrites {
  private waiting: Waiting[] = [];
  private underWay = false;

  /**
   * @param send all or none; for how long it may wait for a server that is away, ms
   * @param isRefusal whether what `send` threw says that none was written, and none will be: then one of them may be to blame alone
   */
  constructor(
    private readonly send: (changes: readonly AttributeChange[], patienceMs: number) => Promise<void>,
    private readonly isRefusal: (error: unknown) => boolean,
  ) {}

  /**
   * @param patienceMs for how long whoever asks can wait for a server that is away, ms
   * @throws what `send` threw of these
   */
  write(changes: readonly AttributeChange[], patienceMs: number): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ changes, patienceMs, done, failed });
      if (!this.underWay) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.underWay = true;
    while (this.waiting.length > 0) await this.sendTogether(this.take());
    this.underWay = false;
  }

  private take(): readonly Waiting[] {
    let count = 0;
    let taken = 0;
    for (const { changes } of this.waiting) {
      // What is to be added is sent by itself: it can't be repeated when the answer gets lost.
      const alone = changes.some(({ add }) => add !== undefined);
      if (taken > 0 && (alone || count + changes.length > LIMITS.changes)) break;
      count += changes.length;
      taken += 1;
      if (alone) break;
    }
    return this.waiting.splice(0, taken);
  }

  private async sendTogether(together: readonly Waiting[]): Promise<void> {
    try {
      await this.send(
        together.flatMap(({ changes }) => changes),
        Math.min(...together.map(({ patienceMs }) => patienceMs)),
      );
    } catch (error) {
      if (together.length > 1 && this.isRefusal(error)) {
        for (const one of together) await this.sendTogether([one]);
        return;
      }
      for (const { failed } of together) failed(error);
      return;
    }
    for (const { done } of together) done();
  }
}
