import { LIMITS, type AttributeChange } from '@systole/protocol';
import { LEAST_MS, type Patience } from '../server/patience.js';
import { ServerRefused, ServerUnavailable } from '../server/server-connection.js';

export interface AttributeWritesParts {
  /**
   * All or none.
   *
   * @param bounded makes an attempt, and gives it up in time
   * @throws {ServerUnavailable} {@link ServerRefused} when none was written, and none will be: then one of them may be to blame alone
   */
  readonly send: (changes: readonly AttributeChange[], bounded: (attempt: () => Promise<void>) => Promise<void>) => Promise<void>;
  /** Whether the node has joined: nobody waits for a server that knows nothing of it. */
  readonly isConnected: () => boolean;
  readonly patience: Patience;
  /** Ends the waits for a server that is away. */
  readonly stop: AbortSignal;
}

/** So much earlier than it is told to a timer may go off, ms. */
const TIMERS_MS = 1;

/** What one caller asked for, until it knows what became of it. */
interface Waiting {
  readonly changes: readonly AttributeChange[];
  readonly patienceMs: number;
  /** When it was asked for, as {@link Patience.time} has it. */
  readonly begun: number;
  /** Whether it may be sent again when the answer was lost. */
  readonly isRepeatable: boolean;
  /** It is sent with no other, whose fault would be taken for its own. */
  isAlone: boolean;
  /** When it was sent last. */
  sentAt: number | undefined;
  timer: NodeJS.Timeout | undefined;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Sends changes of attributes to the server, in the order in which they were asked for. One request is under way at a time, and takes along all that was asked for while the one before it was: so
 * a hundred callers cost a few requests, and each is told when its own are written. While no server answers each waits as long as its own caller can, in its place: what is given up is not sent again. What is under way is given
 * up for all of it as soon as one can't wait any more, and the others go again: whoever was told that it failed must not have it written afterwards, and it is by attempts that servers know what was given up.
 */
export class AttributeWrites {
  /** In their order. */
  private readonly waiting = new Set<Waiting>();
  private underWay = false;
  /** What the request that is under way takes along. */
  private sent: readonly Waiting[] = [];

  constructor(private readonly parts: AttributeWritesParts) {}

  /**
   * @param patienceMs for how long whoever asks can wait for a server that is away, ms
   * @throws {ServerUnavailable} {@link ServerRefused}
   */
  write(changes: readonly AttributeChange[], patienceMs: number): Promise<void> {
    const { patience, isConnected } = this.parts;
    // What is to be added can't be sent again when the answer gets lost.
    const adds = changes.some(({ add }) => add !== undefined);
    return new Promise((done, failed) => {
      const one: Waiting = {
        ...{ changes, patienceMs, begun: patience.time, isRepeatable: !adds && isConnected(), isAlone: adds },
        ...{ sentAt: undefined, timer: undefined, done, failed },
      };
      this.waiting.add(one);
      this.giveUpInTime(one);
      if (!this.underWay) void this.run();
    });
  }

  /** Nothing more becomes of one of them. */
  private forget(one: Waiting): void {
    clearTimeout(one.timer);
    this.waiting.delete(one);
  }

  private fail(one: Waiting, error: unknown): void {
    this.forget(one);
    one.failed(error);
  }

  private async run(): Promise<void> {
    this.underWay = true;
    for (;;) {
      const together = this.next();
      if (together.length === 0) break;
      await this.sendTogether(together);
    }
    this.underWay = false;
  }

  /** Those that go in the next request; they wait on until they are settled. */
  private next(): readonly Waiting[] {
    for (const one of this.waiting) {
      const refusal = one.isRepeatable ? this.parts.patience.refusalOf(one.patienceMs) : undefined;
      if (refusal !== undefined) this.fail(one, refusal);
    }
    let count = 0;
    const together: Waiting[] = [];
    for (const one of this.waiting) {
      const [first] = together;
      if (first !== undefined && (one.isAlone || count + one.changes.length > LIMITS.changes)) break;
      // Or callers that can't wait for long, of whom there are always more, would have what was given up once given up for ever.
      if (first?.sentAt !== undefined && this.leftMs(one) < this.leftMs(first)) break;
      count += one.changes.length;
      together.push(one);
      if (one.isAlone) break;
    }
    return together;
  }

  private async sendTogether(together: readonly Waiting[]): Promise<void> {
    const { patience, send, stop } = this.parts;
    for (const one of together) one.sentAt = patience.time;
    const patient = together.filter(({ isRepeatable }) => isRepeatable);
    const untilOf = new Map(patient.map((one) => [one, patience.time + this.leftMs(one)]));
    const until = Math.min(...untilOf.values());
    this.sent = patient;
    let isAway = false;
    try {
      // What is sent once only is waited for: whoever was told that it failed would ask for it again.
      await send(
        together.flatMap(({ changes }) => changes),
        (attempt) => (patient.length === 0 ? attempt() : patience.once(attempt, Math.max(until - patience.time, LEAST_MS))),
      );
      for (const one of together) {
        this.forget(one);
        one.done();
      }
    } catch (error) {
      const isRefused = error instanceof ServerRefused && together.length > 1;
      isAway = error instanceof ServerUnavailable && !stop.aborted;
      const isOver = (one: Waiting): boolean =>
        !one.isRepeatable || patience.isOver(one.patienceMs) || (untilOf.get(one) ?? until) < patience.time + TIMERS_MS;
      for (const one of together) {
        if (isRefused) one.isAlone = true;
        else if (!isAway || isOver(one)) this.fail(one, error);
      }
    }
    this.sent = [];
    const left = together.filter((one) => this.waiting.has(one));
    for (const one of left) {
      clearTimeout(one.timer);
      this.giveUpInTime(one);
    }
    if (isAway && left.length > 0) await patience.rest(stop);
  }

  /** For how long one of them still waits, ms: for an answer however little is left. */
  private leftMs({ begun, patienceMs, sentAt }: Waiting): number {
    const { patience } = this.parts;
    return Math.max(patience.leftMs(begun, patienceMs), LEAST_MS - (patience.time - (sentAt ?? begun)));
  }

  private giveUpInTime(one: Waiting): void {
    one.timer = setTimeout(() => {
      if (!one.isRepeatable && one.sentAt !== undefined) return;
      // What is under way is given up by now, and settled with that.
      if (this.sent.includes(one)) return;
      if (this.leftMs(one) > 0) this.giveUpInTime(one);
      else this.fail(one, new ServerUnavailable('no server answered in time'));
    }, this.leftMs(one));
  }
}
